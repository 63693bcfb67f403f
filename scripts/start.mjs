// Installs what is missing, builds what is stale, and runs Strata. Any Node from 20 on may start it.
var major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error('Strata needs Node 20 or newer to start; this is Node ' + process.versions.node + '.');
  console.error('Install a newer one from https://nodejs.org, then run "npm start" again.');
  process.exit(1);
}
import('./lib/start-product.mjs')
  .then((module) => module.startProduct())
  .then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      console.error('npm start: ' + error.message);
      process.exitCode = 1;
    },
  );
