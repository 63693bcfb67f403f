// Runs the whole test suite, from an empty clone if need be. Any Node from 20 on may start it.
var major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error('The tests of Strata need Node 20 or newer to start; this is Node ' + process.versions.node + '.');
  process.exit(1);
}
import('./lib/test-product.mjs')
  .then((module) => module.testProduct())
  .then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      console.error('npm test: ' + error.message);
      console.log('0 passed, 1 failed');
      process.exitCode = 1;
    },
  );
