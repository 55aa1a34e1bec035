import assert from 'node:assert/strict';
import { endpointUrl } from '../../../../agent/sinks/transport/endpoint.ts';

describe('agent/sinks/transport/endpoint', () => {
  for (const [base, expected] of [
    ['https://c.example.com', 'https://c.example.com/v1/logs'],
    ['https://c.example.com/', 'https://c.example.com/v1/logs'],
    ['https://c.example.com/otlp/', 'https://c.example.com/otlp/v1/logs'],
    ['https://c.example.com/v1/logs', 'https://c.example.com/v1/logs'],
    ['https://c.example.com/v1/logs/', 'https://c.example.com/v1/logs'],
    ['https://c.example.com/a?tenant=b', 'https://c.example.com/a/v1/logs?tenant=b'],
  ] as const) {
    it(`reaches ${expected} from ${base}`, () => {
      assert.equal(endpointUrl(base, '/v1/logs').href, expected);
    });
  }
});
