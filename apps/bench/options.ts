import { BadOptions, baseUrl, readCommandLine, visible, wholeNumber } from "../commandLine.ts"

/** The text of `--help`. */
export const USAGE = `Usage: payport bench [options]
       payport bench --url URL --admin-key KEY [options]

Measures how many payments a second are created over HTTP, and how long each takes. Every payment
has its own Idempotency-Key and is durable when it is answered. Every response is checked. Without
--url it starts a sandbox with a PostgreSQL of its own in a temporary folder, and removes both.

  --url URL        the sandbox to measure; a service in live mode is refused
  --admin-key KEY  the sandbox's admin key. It creates a seller, a verified buyer and a service,
                   which stay there with their payments. Start the sandbox with
                   PAYPORT_RATE_LIMITS=off, or the rate limit of a plan is measured
  --connections N  the number of concurrent requests, 1 to 1000 (default 64)
  --rounds N       the number of rounds, of which the median counts, 1 to 100 (default 3)
  --seconds N      the seconds of each round, 1 to 3600 (default 5)
  --warm-up N      the seconds before the first round, 0 to 3600 (default 5)
  --json           prints {"url", "connections", "rounds", "seconds", "rate", "rates", "latency_ms",
                   "load_cpu"}: creations a second, the median and each round's; milliseconds (p50,
                   p99, most); and the share of a core that the load itself used
  --help           prints this

Example:
  payport bench --seconds 10 --json > before.json

Progress goes to stderr. The load runs on this machine. If it shares cores with the service, the
service gets less of them.

It ends with 0, with 1 if the service cannot be measured or a response is wrong, with 2 on a wrong
option.
`

const OPTIONS = {
  url: baseUrl,
  "admin-key": visible,
  connections: wholeNumber(1, 1_000),
  rounds: wholeNumber(1, 100),
  seconds: wholeNumber(1, 3_600),
  "warm-up": wholeNumber(0, 3_600),
  json: "flag",
} as const

/** Reads the command line; undefined for `--help`. Throws `BadOptions`. */
export const readOptions = (args: ReadonlyArray<string>) => {
  const given = readCommandLine(args, OPTIONS)?.given
  if (given === undefined) return undefined
  const { "admin-key": adminKey, url } = given
  if ((url === undefined) !== (adminKey === undefined)) {
    throw new BadOptions("--url and --admin-key go together.")
  }
  return {
    /** The sandbox to measure; undefined to start one. */
    place: url === undefined || adminKey === undefined ? undefined : { url, adminKey },
    connections: given.connections ?? 64,
    rounds: given.rounds ?? 3,
    seconds: given.seconds ?? 5,
    warmUp: given["warm-up"] ?? 5,
    json: given.json,
  }
}

/** The options of the command. */
export type Options = NonNullable<ReturnType<typeof readOptions>>
