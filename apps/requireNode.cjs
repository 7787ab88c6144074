// Runs before the npm scripts, on whatever Node npm found: no syntax younger than 2015 here.
const engines = require("../package.json").engines

const wanted = Number(/\d+/.exec(engines.node)[0])
const running = process.versions.node

if (Number(running.split(".")[0]) < wanted) {
  process.stderr.write(
    `payport needs Node ${wanted} or newer and this is Node ${running} (${process.execPath}): ` +
      `the package "node", which brings it, is not set up. Run npm ci again with install ` +
      `scripts allowed, or install Node ${wanted} yourself.\n`,
  )
  process.exit(1)
}
