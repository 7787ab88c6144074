import { Effect, Exit, Scope } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { type Running, startOn, temporaryFolder } from "../apps/server/service.ts"
import { urlOf } from "../support/askDatabase.ts"
import { testDatabase } from "../support/postgres.ts"
import { call, openReceiver, openShop, simulated } from "../support/shop.ts"

const AT_ONCE = 50

const emptyOne = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return urlOf(await Effect.runPromise(Scope.provide(testDatabase, scope)))
}

const get = async (service: Running, path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(service.url + path, { headers })
  const body = (await answer.json()) as { readonly [field: string]: unknown }
  return { status: answer.status, code: body["code"], body }
}

/** A payment that the paid endpoint asked for and that its payer has authorized. */
const paid = async (service: Running, path: string) => {
  const { body } = await get(service, path)
  const { id, token } = body["payment_intent"] as { readonly id: string; readonly token: string }
  const { status } = await call(service, "buyer", simulated(id, "pay"))
  expect(status).toBe(200)
  return { "X-Payment-Intent": id, "X-Payment-Token": token }
}

test("one proof shown 50 times at two processes passes once, also after a restart", async () => {
  const database = await emptyOne()
  const folder = await temporaryFolder()
  const start = () => startOn(folder, { PAYPORT_DATABASE_URL: database })
  const [one, two] = await Promise.all([start(), start()])
  const { endpoint } = await openReceiver()
  const path = `/v1/sandbox/paid/${await openShop(one, endpoint)}`
  const proof = await paid(one, path)
  const kept = await paid(two, path)
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => get(n % 2 === 0 ? one : two, path, proof)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const others = new Set(answers.filter(({ status }) => status !== 200).map(({ code }) => code))
  // On a busy machine some are told to come back while another's capture is under way.
  others.delete("PAYMENT_UNRESOLVED")
  expect([...others]).toEqual(["PAYMENT_PROOF_USED"])
  expect(await get(two, path, proof)).toMatchObject({ status: 402, code: "PAYMENT_PROOF_USED" })
  for (const { child, ended } of [one, two]) {
    child.kill("SIGKILL")
    await ended
  }
  const again = await start()
  expect(await get(again, path, proof)).toMatchObject({ status: 402, code: "PAYMENT_PROOF_USED" })
  expect((await get(again, path, kept)).status).toBe(200)
  expect(await get(again, path, kept)).toMatchObject({ code: "PAYMENT_PROOF_USED" })
}, 90_000)
