import { expect, test } from "vitest"
import { certainSecrets } from "../../../../apps/simulate/blackbox/certainSecrets.ts"
import { SECOND } from "../../../../core/shared/Timestamp.ts"

const AT = 1_000 * SECOND

/** Secrets by the seconds until each ends, the last of which is the current one. */
const secretsOf = (seconds: ReadonlyArray<number>, from = 0) =>
  seconds.map((left, n) => ({ secret: `s${n}`, from, until: AT + left * SECOND }))

test.each<[string, ReadonlyArray<number>, ReadonlyArray<string>]>([
  ["the current one", [Infinity], ["s0"]],
  [
    "all in their grace period, while none had to end for another",
    [60, 60, 60, 60, Infinity],
    ["s0", "s1", "s2", "s3", "s4"],
  ],
  ["none that ends about now", [30, 31, Infinity], ["s1", "s2"]],
  [
    "the newest two, once one of the earlier ones had to end",
    [3_600, 3_600, 60, 60, 60, Infinity],
    ["s4", "s5"],
  ],
])("a webhook is certainly signed with %s", (_, seconds, names) => {
  const certain = certainSecrets(secretsOf(seconds), { at: AT, service_latest: AT })
  expect(certain.map(({ secret }) => secret)).toEqual(names)
})

test("a webhook that was on its way is not yet signed with a new secret", () => {
  const secrets = secretsOf([Infinity], AT - 10 * SECOND)
  expect(certainSecrets(secrets, { at: AT, service_latest: AT })).toEqual([])
  expect(certainSecrets(secrets, { at: AT + 1, service_latest: AT })).toHaveLength(1)
})
