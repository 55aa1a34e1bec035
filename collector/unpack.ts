import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';
import { errnoOf } from '../agent/contract/errors.ts';
import { Refusal } from './reply.ts';

type Decode = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const gunzipAsync: Decode = promisify(gunzip);
const unzstdAsync: Decode = promisify(zstdDecompress);

const DECODERS = new Map([
  ['gzip', gunzipAsync],
  ['zstd', unzstdAsync],
]);

/** The body without its Content-Encoding. Stops at maxBytes, however small the body is. */
export async function unpack(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return body;
  const decode = DECODERS.get(name);
  if (!decode) {
    throw new Refusal(415, 'the content encoding is not known here', { 'accept-encoding': 'zstd, gzip' });
  }
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (errnoOf(error) === 'ERR_BUFFER_TOO_LARGE') {
      throw new Refusal(413, `a body may have ${maxBytes} bytes after decompression`);
    }
    throw new Refusal(400, `the body is not valid ${name}`);
  }
}
