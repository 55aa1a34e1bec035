import type { Attributes } from '../../../agent/contract/row.ts';
import { safeUrl } from '../../shared/safe-url.ts';
import { cleanText } from '../../shared/text.ts';
import { asObject, asText } from '../records.ts';

/** What one line says. */
export interface ActivityFacts {
  readonly record: string;
  readonly part: string;
  readonly event: 'activity.console' | 'activity.network';
  readonly text: string;
  readonly attributes: Attributes;
}

/**
 * What is recorded of one request, in several lines under one id: the request, pieces of the answer, the whole
 * answer or why there is none.
 */
export interface RawNetwork {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly url?: unknown;
  readonly chunk?: unknown;
  readonly error?: unknown;
  readonly response?: unknown;
}

/** Requests that wait for their answer; more than these are answered without their address. */
const MAX_OPEN = 1000;
const MAX_URL_CHARS = 2048;
const MAX_ERROR_CHARS = 500;

interface OpenRequest {
  readonly method: string;
  readonly url: string;
}

export interface Requests {
  /** Undefined for a piece of an answer: the whole answer follows. */
  read(raw: RawNetwork): ActivityFacts | undefined;
}

export function createRequests(): Requests {
  const open = new Map<string, OpenRequest>();

  function begin(id: string, request: OpenRequest): ActivityFacts {
    if (open.size >= MAX_OPEN) open.clear();
    open.set(id, request);
    return facts(id, 'request', { text: `network request: ${request.method} ${request.url}`, request });
  }

  return {
    read(raw) {
      const id = cleanText(asText(raw.id) ?? '-');
      const url = asText(raw.url);
      if (url !== undefined) return begin(id, { method: methodOf(raw), url: addressOf(url) });
      const request = open.get(id);
      const target = request ? [`${request.method} ${request.url}`] : [];
      const error = asText(raw.error);
      if (error !== undefined) {
        const text = ['network error', ...target, cleanText(error.slice(0, MAX_ERROR_CHARS))].join(': ');
        return facts(id, 'error', { text, request });
      }
      const response = asObject<{ status?: unknown; durationMs?: unknown }>(raw.response);
      if (!response) return undefined;
      const numbers = {
        ...numberIn('status', response.status),
        ...numberIn('duration_ms', response.durationMs),
      };
      return facts(id, 'response', {
        text: ['network response:', numbers['status'] ?? '-', ...target].join(' '),
        request,
        numbers,
      });
    },
  };
}

interface Said {
  readonly text: string;
  readonly request: OpenRequest | undefined;
  readonly numbers?: Readonly<Record<string, number>>;
}

function facts(id: string, part: string, { text, request, numbers }: Said): ActivityFacts {
  return {
    record: `network:${id}`,
    part,
    event: 'activity.network',
    text,
    attributes: { request: id, ...request, ...numbers },
  };
}

function methodOf({ method }: RawNetwork): string {
  return cleanText(asText(method)?.slice(0, 20) ?? 'GET');
}

function addressOf(url: string): string {
  return cleanText(safeUrl(url.slice(0, MAX_URL_CHARS)));
}

function numberIn(name: string, value: unknown): Readonly<Record<string, number>> {
  return typeof value === 'number' && Number.isFinite(value) ? { [name]: value } : {};
}
