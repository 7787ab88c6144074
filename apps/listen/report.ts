import type { LoggedEvent } from "./eventLog.ts"
import type { Attempt, Next } from "./forward.ts"
import type { Options } from "./options.ts"

/** Reports progress on stdout. */
export interface Report {
  readonly begin: (options: Options) => void
  readonly attempt: (event: LoggedEvent, attempt: number, result: Attempt, next: Next) => void
  /** The service does not answer; reported once until it does. */
  readonly waiting: (why: string) => void
  readonly end: (delivered: number) => void
}

type Write = (line: string) => void

/** The text in printable ASCII, on one line. */
const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?")

const seconds = (millis: number): string => `${millis / 1_000} s`

const describe = ({ duration_ms, error, status }: Attempt, next: Next): string => {
  const answer = status === null ? error : `${status} in ${duration_ms} ms`
  if (next.type === "retry") return `${answer}, again in ${seconds(next.after)}`
  return next.type === "given_up" ? `${answer}, given up` : `${answer}`
}

const forPeople = (write: Write): Report => ({
  begin: ({ forward, secret, url }) => {
    write(`Following the events of ${url}, forwarding to ${forward}`)
    write(`Signed with ${secret}`)
  },
  attempt: ({ id, type }, _, result, next) =>
    write(plain(`${type}  ${id}  ${describe(result, next)}`)),
  waiting: (why) => write(`${plain(why)}; trying again.`),
  end: (delivered) => write(`Delivered ${delivered} ${delivered === 1 ? "event" : "events"}.`),
})

const forPrograms = (write: Write): Report => {
  const line = (value: object) => write(JSON.stringify(value))
  return {
    begin: ({ forward, secret, url }) => line({ listening: { url, forward, secret } }),
    attempt: ({ id, type }, attempt, result, next) => {
      const again = next.type === "retry" ? { retry_after_ms: next.after } : {}
      line({ event: id, type, attempt, ...result, outcome: next.type, ...again })
    },
    waiting: (why) => line({ waiting: why }),
    end: (delivered) => line({ delivered }),
  }
}

/** A report in lines, for people or as JSON. */
export const makeReport = (json: boolean, write: Write): Report =>
  json ? forPrograms(write) : forPeople(write)
