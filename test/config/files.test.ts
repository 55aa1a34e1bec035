import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskFiles, MAX_CONFIG_BYTES } from '../../config/files.ts';
import { loadConfig } from '../../config/load.ts';
import { tempDir } from '../support/temp.ts';

describe('config/files', () => {
  it('loads a real folder, through a symbolic link as well', () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'conf.d'));
    writeFileSync(join(dir, 'real.yaml'), 'homes: [/home/alice]\n');
    symlinkSync(join(dir, 'real.yaml'), join(dir, 'config.yaml'));
    writeFileSync(join(dir, 'conf.d', 'a.yaml'), 'rows: {max_text_bytes: 2048}\n');

    const { config, files } = loadConfig({ file: join(dir, 'config.yaml'), confDir: join(dir, 'conf.d') });

    assert.deepEqual([config.homes, config.rows.maxTextBytes, files.length], [['/home/alice'], 2048, 2]);
  });

  it('tells mode and owner of what it opened', () => {
    const file = join(tempDir(), 'a.yaml');
    writeFileSync(file, 'x');
    chmodSync(file, 0o662);

    const read = diskFiles.read(file);

    assert.deepEqual([read?.mode, read?.uid, read?.bytes.length], [0o662, process.getuid?.(), 1]);
  });

  it('answers undefined for what is missing', () => {
    const dir = tempDir();

    assert.equal(diskFiles.read(join(dir, 'no')), undefined);
    assert.equal(diskFiles.list(join(dir, 'no')), undefined);
  });

  it('reads no more than one byte above the bound', () => {
    const file = join(tempDir(), 'big.yaml');
    writeFileSync(file, Buffer.alloc(MAX_CONFIG_BYTES + 5000, 0x23));

    assert.equal(diskFiles.read(file)?.bytes.length, MAX_CONFIG_BYTES + 1);
  });

  it('is not held up by a pipe or a folder in place of a file', () => {
    const dir = tempDir();
    execFileSync('mkfifo', [join(dir, 'pipe')]);

    assert.throws(() => diskFiles.read(join(dir, 'pipe')), /not a regular file/);
    assert.throws(() => diskFiles.read(dir), /not a regular file/);
  });
});
