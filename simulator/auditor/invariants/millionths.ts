/** How many millionths are a whole. */
export const MILLIONTHS = 1_000_000n

/** Parses an exact decimal of at most six places, in millionths. */
export const millionths = (text: string): bigint => {
  const [whole = "0", fraction = ""] = text.split(".")
  return BigInt(whole) * MILLIONTHS + BigInt(fraction.padEnd(6, "0"))
}
