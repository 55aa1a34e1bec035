import { cleanText } from '../shared/text.ts';

/** Facts of an approval mode. One in which every call runs without asking is worth an alert. */
export function modeFacts(mode: string): { readonly mode: string; readonly trust_all?: true } {
  const isTrustAll = mode.toLowerCase() === 'yolo';
  return { mode: cleanText(mode), ...(isTrustAll && { trust_all: true as const }) };
}
