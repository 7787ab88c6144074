/** The place of a request in a trace: the `traceparent` of W3C Trace Context, level 1. */
export interface Traceparent {
  /** 32 lower-case hex digits. */
  readonly traceId: string
  /** 16 lower-case hex digits: the caller's span. */
  readonly spanId: string
  /** Whether the caller records its span. */
  readonly sampled: boolean
}

const PATTERN = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})/

/** Parses a header; undefined without one, and for a malformed one. */
export const parseTraceparent = (text: string | undefined): Traceparent | undefined => {
  const [whole, traceId, spanId, flags] = PATTERN.exec(text ?? "") ?? []
  if (text === undefined || whole === undefined || traceId === undefined) return undefined
  if (spanId === undefined || flags === undefined) return undefined
  // Version 00 ends here. A later version may continue after another dash.
  const rest = text.slice(whole.length)
  if (rest !== "" && (text.startsWith("00") || !rest.startsWith("-"))) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Returns the header of a span; undefined for an invalid one, as without tracing. */
export const formatTraceparent = ({
  sampled,
  spanId,
  traceId,
}: Traceparent): string | undefined => {
  const text = `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`
  return parseTraceparent(text) === undefined ? undefined : text
}
