/** An event of a stream: its name and its data. */
export interface StreamEvent {
  readonly event: string
  readonly data: string
}

const fieldsOf = (block: string): StreamEvent => {
  let event = "message"
  const data: Array<string> = []
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) event = line.slice(7)
    if (line.startsWith("data: ")) data.push(line.slice(6))
  }
  return { event, data: data.join("\n") }
}

/** Returns the complete events in the received text, and the rest, which begins the next event. */
export const readEvents = (
  text: string,
): { readonly events: ReadonlyArray<StreamEvent>; readonly rest: string } => {
  const blocks = text.split("\n\n")
  const rest = blocks.pop() ?? ""
  return { events: blocks.map(fieldsOf).filter(({ data }) => data !== ""), rest }
}
