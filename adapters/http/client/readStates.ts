/** Yields the JSON data of each server-sent event in a stream. */
export const readStates = async function* (body: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true })
    const events = rest.split(/\r?\n\r?\n/)
    rest = events.pop() ?? ""
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .flatMap((line) => /^data: ?(.*)$/.exec(line)?.slice(1) ?? [])
        .join("\n")
      if (data !== "") yield JSON.parse(data) as unknown
    }
  }
}
