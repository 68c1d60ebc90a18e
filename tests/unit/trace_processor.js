// Perfetto's trace processor outside a browser: the worker of its page, given what a worker has.
//
// node trace_processor.js FOLDER: FOLDER holds engine_bundle.js and its .wasm files. Requests on
// standard input and replies on standard output are TraceProcessorRpcStream messages, which say
// themselves where they end; what the engine prints goes to standard error.

'use strict';
const fs = require('node:fs');
const path = require('node:path');

const folder = path.resolve(process.argv[2]);
const told = (...words) => process.stderr.write(words.join(' ') + '\n');
const loud = {log: told, warn: told, error: told, info: told, debug: told};
const here = {location: new URL(`file://${folder}/engine_bundle.js`)};

class Files {
  open(_, url) { this.file = path.join(folder, path.basename(new URL(url, here.location).pathname)); }
  send() { this.response = new Uint8Array(fs.readFileSync(this.file)).buffer; }
}

const port = {
  postMessage(data) {
    for (let at = 0; at < data.length;) at += fs.writeSync(1, data, at);
  },
};

// A worker has no `process`, which is what the engine knows node by.
const code = fs.readFileSync(path.join(folder, 'engine_bundle.js'), 'utf8');
const names = ['self', 'WorkerGlobalScope', 'XMLHttpRequest', 'process', 'console'];
new Function(...names, code)(here, class {}, Files, undefined, loud);
here.onmessage({data: port});

// Promises come before what is read, so the engine is ready for it.
process.stdin.on('data', (data) => port.onmessage({data: new Uint8Array(data)}));
