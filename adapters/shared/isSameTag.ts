/**
 * Tells whether the reader already has the version of a document with this tag, by `If-None-Match`.
 * A proxy that compresses weakens tags; here a weak tag means the same (RFC 9110).
 */
export const isSameTag = (
  tag: string,
  ifNoneMatch: string | ReadonlyArray<string> | undefined,
): boolean => {
  if (ifNoneMatch === undefined) return false
  // A regular expression that takes the spaces along needs quadratic time for many spaces.
  const asked = String(ifNoneMatch).split(",")
  return asked.some((each) => {
    const known = each.trim().replace(/^W\//, "")
    return known === tag || known === "*"
  })
}
