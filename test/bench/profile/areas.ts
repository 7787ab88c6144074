/** The area of each place in the code. The first match counts. */
const AREAS: ReadonlyArray<readonly [area: string, place: RegExp]> = [
  ["receive", /\/adapters\/http\/koa\/(?:headers|router|HttpServer)\.[jt]s$/],
  ["receive", /\/adapters\/shared\/(?:readBody|requestId)\.[jt]s$/],
  ["parse", /\/adapters\/http\/koa\/(?:readRequest|Route)\.[jt]s$|\/core\/shared\/Decode\.[jt]s$/],
  ["parse", /\/adapters\/shared\/parseJson\.[jt]s$/],
  ["parse", /\/adapters\/http\/contract\/|\/node_modules\/secure-json-parse\//],
  ["dispatch", /\/adapters\/http\/(?:koa\/(?:dispatch|serve)\.[jt]s|handlers\/|server\.[jt]s)/],
  ["respond", /\/adapters\/http\/koa\/respond\.[jt]s$/],
  ["log and metrics", /\/adapters\/http\/koa\/telemetry\.[jt]s$/],
  ["authenticate", /\/core\/accounts\/|\/adapters\/postgres\/(?:accountReads|cachedReads)\.[jt]s$/],
  ["idempotency", /\/core\/idempotency\/|\/core\/shared\/Text\.[jt]s$/],
  ["seal and hash", /\/adapters\/crypto\/Vault\.[jt]s$/],
  ["identifiers", /\/adapters\/crypto\/Ids\.[jt]s$|\/node_modules\/uuidv7\//],
  ["worker", /\/core\/work\//],
  ["decide", /\/core\/|\/adapters\/(?:channels|fx|clock)\//],
  ["encode commit", /\/adapters\/postgres\/(?:PreparedCommit|groupParameters|tables)\b/],
  ["group commits", /\/adapters\/postgres\//],
  ["database driver", /\/node_modules\/@effect\/sql-pg\//],
  ["Koa", /\/node_modules\/koa(?:-[a-z]+)?\//],
]

const RUNTIME = /\/node_modules\/effect\//
const LOOPS = new Set(["runLoop", "evaluate"])

/** The area of a call, or undefined when it depends on who called it. */
export const areaOf = (functionName: string, url: string): string | undefined => {
  if (functionName === "(garbage collector)") return "garbage collection"
  if (functionName === "(idle)") return "idle"
  if (functionName === "(program)") return "system calls and native code"
  if (RUNTIME.test(url)) {
    if (/\/(?:Logger|References)\.js$/.test(url)) return "log and metrics"
    return LOOPS.has(functionName) ? "Effect's runtime" : undefined
  }
  return AREAS.find(([, place]) => place.test(url))?.[0]
}

/** The area of a call when no caller has one either. */
export const areaOfRest = (url: string): string =>
  RUNTIME.test(url) ? "Effect's runtime" : "Node's HTTP and sockets"
