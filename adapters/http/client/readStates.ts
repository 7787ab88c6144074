import { isFields } from "./Fields.ts"
import { PayportError } from "./PayportError.ts"

/** The longest event, in characters. */
const MOST_TEXT = 1024 * 1024

/** An event of a stream. Its id is that of the record's version. */
interface StateEvent {
  readonly id: string | undefined
  /** The decoded JSON. */
  readonly data: object
}

const unexpected = (message: string): PayportError =>
  new PayportError({ status: 200, code: "UNEXPECTED_ANSWER", category: "unknown", message })

const valuesOf = (lines: ReadonlyArray<string>, field: string): ReadonlyArray<string> =>
  lines.flatMap((line) => {
    if (!line.startsWith(`${field}:`)) return []
    return line.slice(field.length + 1).replace(/^ /, "")
  })

const parse = (text: string): object => {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw unexpected("An event of the service's stream is not JSON.")
  }
  if (!isFields(data)) throw unexpected("An event of the service's stream is no JSON object.")
  return data
}

/**
 * Yields the server-sent events of a stream. Rejects with `PayportError` (`UNEXPECTED_ANSWER`) for
 * one that is too long, or is no JSON object.
 */
export const readStates = async function* (
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StateEvent, void> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true })
    const events = rest.split(/\r?\n\r?\n/)
    rest = events.pop() ?? ""
    if (rest.length > MOST_TEXT) throw unexpected("An event of the service's stream has no end.")
    for (const event of events) {
      const lines = event.split(/\r?\n/)
      const data = valuesOf(lines, "data").join("\n")
      if (data !== "") yield { id: valuesOf(lines, "id").at(-1), data: parse(data) }
    }
  }
}
