import { PayportError } from "./PayportError.ts"

/** The longest event, in characters. */
const MOST_TEXT = 1024 * 1024

/** Yields the JSON data of each server-sent event in a stream. Throws if one is too long. */
export const readStates = async function* (body: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true })
    const events = rest.split(/\r?\n\r?\n/)
    rest = events.pop() ?? ""
    if (rest.length > MOST_TEXT) {
      throw new PayportError({
        status: 200,
        code: "UNEXPECTED_ANSWER",
        category: "unknown",
        message: "An event of the service's stream has no end.",
      })
    }
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .flatMap((line) => /^data: ?(.*)$/.exec(line)?.slice(1) ?? [])
        .join("\n")
      if (data !== "") yield JSON.parse(data) as unknown
    }
  }
}
