import assert from 'node:assert/strict';
import type { DraftRow } from '../../agent/contract/row.ts';
import type { DocumentSpec, FileSpec, LogSpec, Source, StandingSpec } from '../../agent/contract/source.ts';
import { SOURCES } from '../../parsers/index.ts';
import { assertRow, type Sample, samplesOf } from './samples.ts';
import { draftId, fakeContext, parseFile, parseLog } from './support.ts';

/** Places at which a sample is cut or broken; the smallest one is cut at every byte. */
const CUTS = 30;

for (const source of SOURCES) {
  for (const spec of source.files.filter(({ kind }) => kind !== 'database')) {
    describe(`parsers: ${source.id}, ${spec.name}`, () => {
      const samples = samplesOf(source, spec);
      const smallest = smallestOf(samples);

      it('has samples in the fixtures', () => {
        assert.ok(samples.length > 0);
      });

      it('gives rows that keep the contract', () => {
        for (const { path, bytes } of samples) {
          for (const row of parse(spec, bytes, path)) assertRow(row);
        }
      });

      it('gives no id twice for one file', () => {
        for (const { path, bytes } of samples) {
          const ids = parse(spec, bytes, path).map((row) => draftId(source, row));

          assert.equal(new Set(ids).size, ids.length, path);
        }
      });

      it('gives the same rows for the same bytes', () => {
        for (const { path, bytes } of samples) {
          assert.deepEqual(parse(spec, bytes, path), parse(spec, Buffer.from(bytes), path));
        }
      });

      it('gives the same ids when the file lies elsewhere under its name', () => {
        for (const { path, bytes } of samples) {
          const [first = '', , ...rest] = path.split('/');
          const moved = [first, 'elsewhere', ...rest].join('/');
          if (!spec.matches(moved)) continue;

          const ids = (at: string) => parse(spec, bytes, at).map((row) => draftId(source, row));
          assert.deepEqual(ids(moved), ids(path));
        }
      });

      it('gives no record for an empty file', () => {
        const rows = parse(spec, Buffer.alloc(0), smallest.path);

        assert.deepEqual(
          rows.filter(({ event }) => event !== 'parser.error'),
          [],
        );
      });

      it('reads past a byte order mark', () => {
        for (const { path, bytes } of samples) {
          const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);

          assert.deepEqual(parse(spec, marked, path), parse(spec, bytes, path));
        }
      });

      it('takes CRLF for LF', () => {
        for (const { path, bytes } of samples) {
          const windows = Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');

          assert.deepEqual(parse(spec, windows, path), parse(spec, bytes, path));
        }
      });

      it('survives a cut at any byte', () => {
        for (const { path, bytes } of samples) {
          const step = bytes === smallest.bytes ? 1 : Math.ceil(bytes.length / CUTS);
          for (let end = 0; end < bytes.length; end += step) {
            for (const row of parse(spec, bytes.subarray(0, end), path)) assertRow(row);
          }
        }
      });

      it('survives invalid UTF-8, NUL and any single broken byte', () => {
        const step = Math.ceil(smallest.bytes.length / CUTS);
        for (const value of [0xff, 0x00, 0x22, 0x7b, 0x0a]) {
          for (let at = 0; at < smallest.bytes.length; at += step) {
            const broken = Buffer.from(smallest.bytes);
            broken[at] = value;

            for (const row of parse(spec, broken, smallest.path)) assertRow(row);
          }
        }
      });

      it('survives lines that are huge, deep, or no text at all', () => {
        const hostile = [
          'z'.repeat(10 << 20),
          `{"a":"${'z'.repeat(10 << 20)}"}`,
          `{"a":${'['.repeat(200_000)}`,
          `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
          '{}'.repeat(10_000),
          '\0'.repeat(10_000),
          '{"__proto__":{"id":1},"constructor":null,"id":{"toString":5}}',
        ];
        for (const line of hostile) {
          const bytes = Buffer.concat([Buffer.from(`${line}\n`), smallest.bytes]);

          for (const row of parse(spec, bytes, smallest.path)) assertRow(row);
        }
      });

      if (spec.kind === 'log') checkLog(source, spec, samples);
      if (spec.kind === 'document') checkDocument(spec, samples);
      if (spec.kind === 'standing') checkStanding(spec, samples);
    });
  }
}

function checkLog(source: Source, spec: LogSpec, samples: readonly Sample[]): void {
  it('does not keep the buffer that it was given', () => {
    for (const { path, bytes } of samples) {
      const rows: DraftRow[] = [];
      const parser = spec.open(fakeContext(path));
      const shared = Buffer.alloc(bytes.length);
      let start = 0;
      for (let line = 1, end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start), line++) {
        bytes.copy(shared, 0, start, end);
        parser.line(shared.subarray(0, end - start), line, (row) => void rows.push(row));
        shared.fill(0x58);
        start = end + 1;
      }

      assert.deepEqual(rows, parseLog(spec, bytes.subarray(0, start), fakeContext(path)));
    }
  });

  it('gives nothing new when a line that was read before its line feed comes again', () => {
    for (const { path, bytes } of samples) {
      const whole = parseLog(spec, bytes, fakeContext(path)).map((row) => draftId(source, row));
      const rows: DraftRow[] = [];
      const parser = spec.open(fakeContext(path));
      let start = 0;
      for (let line = 1, end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start), line++) {
        parser.unfinished(bytes.subarray(start, end), line, (row) => void rows.push(row));
        parser.line(bytes.subarray(start, end), line, (row) => void rows.push(row));
        start = end + 1;
      }

      assert.deepEqual(new Set(rows.map((row) => draftId(source, row))), new Set(whole));
    }
  });
}

function checkDocument(spec: DocumentSpec, samples: readonly Sample[]): void {
  it('gives nothing with the word that a file is torn', () => {
    for (const { path, bytes } of samples) {
      for (let cut = 0; cut < CUTS; cut++) {
        const rows: DraftRow[] = [];
        const end = Math.floor((bytes.length * cut) / CUTS);
        const document = { bytes: bytes.subarray(0, end), settled: false };

        const result = spec.parse(document, fakeContext(path), (row) => void rows.push(row));

        if (result === 'torn') assert.deepEqual(rows, []);
      }
    }
  });
}

function checkStanding(spec: StandingSpec, samples: readonly Sample[]): void {
  it('gives every key once', () => {
    for (const { path, bytes } of samples) {
      const result = spec.read({ bytes, settled: true }, fakeContext(path));

      const keys = result.kind === 'entries' ? result.entries.map(({ key }) => key) : [];
      assert.equal(new Set(keys).size, keys.length, path);
    }
  });
}

function parse(spec: FileSpec, bytes: Buffer, path: string): DraftRow[] {
  return parseFile(spec, bytes, fakeContext(path));
}

function smallestOf(samples: readonly Sample[]): Sample {
  const [smallest] = samples.toSorted((a, b) => a.bytes.length - b.bytes.length);
  return smallest ?? { path: '', bytes: Buffer.alloc(0) };
}
