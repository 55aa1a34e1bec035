// Plain JavaScript on purpose: it must run, and speak, on the Node that is too old for everything else.
const wanted = 24;
const [major] = process.versions.node.split('.').map(Number);
if (major < wanted) {
  console.error(`Holdfast needs Node ${wanted}, and this is ${process.version} (${process.execPath}).`);
  console.error(
    'On Linux x64 `npm ci` brings the right one: use the npm scripts, which find it. Elsewhere install Node 24.',
  );
  process.exit(3);
}
