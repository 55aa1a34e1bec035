import type { SecretSource } from './secret.ts';

/** How a token goes into a request. `header`: as it is, in a header of its own. */
export type AuthScheme = 'bearer' | 'basic' | 'api_key' | 'splunk' | 'header';

/** The headers that show who we are, as of this moment, and what of them must show nowhere else. */
export type Authorization =
  | {
      readonly kind: 'ready';
      readonly headers: Readonly<Record<string, string>>;
      readonly secrets: readonly string[];
    }
  | { readonly kind: 'missing'; readonly reason: string };

export interface AuthForm {
  readonly scheme: AuthScheme;
  /** Name of the header; `authorization` unless said otherwise. */
  readonly header?: string | null | undefined;
}

const WORDS = { bearer: 'Bearer', basic: 'Basic', api_key: 'ApiKey', splunk: 'Splunk' } as const;

/** Without a configured token nothing is sent along. */
export function createAuthorization(token: SecretSource, form: AuthForm): () => Authorization {
  return () => {
    const secret = token();
    if (secret.kind === 'missing') return secret;
    if (secret.kind === 'none') return { kind: 'ready', headers: {}, secrets: [] };
    return authorize(secret.value, form);
  };
}

function authorize(token: string, { scheme, header }: AuthForm): Authorization {
  const name = header ?? 'authorization';
  if (scheme === 'header') return { kind: 'ready', headers: { [name]: token }, secrets: [token] };
  if (scheme !== 'basic') {
    return { kind: 'ready', headers: { [name]: `${WORDS[scheme]} ${token}` }, secrets: [token] };
  }
  const colon = token.indexOf(':');
  if (colon < 1) return { kind: 'missing', reason: 'the token is not user:password, as basic wants it' };
  const encoded = Buffer.from(token).toString('base64');
  const secrets = [encoded, token, token.slice(colon + 1)].filter((secret) => secret !== '');
  return { kind: 'ready', headers: { [name]: `${WORDS.basic} ${encoded}` }, secrets };
}
