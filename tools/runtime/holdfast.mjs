#!/usr/bin/env node
// What `npx holdfast` starts in a checkout. npm puts the Node of this package first in PATH.
import './require-node.mjs';

await import('../../agent/main.ts');
