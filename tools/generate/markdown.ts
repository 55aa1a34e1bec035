/** First line of a file that is generated as a whole. */
export function generatedNote(source: string): string {
  return `<!-- Generated from ${source} by npm run generate. Do not edit. -->`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
    .join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Puts text between `<!-- name -->` and `<!-- /name -->`; everything else is written by hand. */
export function replaceBetween(document: string, name: string, text: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [document.indexOf(open), document.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`the document has no ${open} … ${close}`);
  return `${document.slice(0, start + open.length)}\n${text}\n${document.slice(end)}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
