/** A quotient as a whole number, half to even; neither is negative, and 0 divides nothing. */
export const halfEven = (numerator: bigint, denominator: bigint): number => {
  const quotient = numerator / denominator
  const twice = 2n * (numerator % denominator)
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  return Number(up ? quotient + 1n : quotient)
}

/**
 * `value × part / whole` in whole minor units, exactly, half to even: 5/1000 of 500 is 2, as 2.5 is
 * as near to 3. All three are whole numbers that are not negative; a share of nothing is nothing.
 */
export const proportion = (value: number, part: number, whole: number): number => {
  if (whole === 0) return 0
  const product = value * part
  if (!Number.isSafeInteger(product)) return halfEven(BigInt(value) * BigInt(part), BigInt(whole))
  const rest = product % whole
  const quotient = (product - rest) / whole
  // Doubling could leave the exact numbers; subtracting cannot.
  const other = whole - rest
  return rest > other || (rest === other && quotient % 2 === 1) ? quotient + 1 : quotient
}

/**
 * What a further part of `whole` gets of `value`, after the parts before it have had theirs. It is
 * the difference of two shares, so the shares of parts that make up the whole add up to the value,
 * whatever the parts: the last takes the remainder.
 */
export const nextShare = (value: number, before: number, part: number, whole: number): number =>
  proportion(value, before + part, whole) - proportion(value, before, whole)

/** Splits a value by weights; the parts add up to it, and the last takes the remainder. */
export const splitProportionally = (
  value: number,
  weights: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let before = 0
  return weights.map((weight) => {
    const share = nextShare(value, before, weight, whole)
    before += weight
    return share
  })
}
