import { Effect, Exit, Scope } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { credentialFor } from "../../adapters/http/client/PaymentDemand.ts"
import { parseChallenges } from "../../adapters/http/client/MppChallenge.ts"
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
  return { status: answer.status, code: body["code"], body, headers: answer.headers }
}

/**
 * An authorized payment that the paid endpoint demanded, with its proof in our own form, in x402's
 * and in MPP's.
 */
const paid = async (service: Running, path: string) => {
  const { body, headers } = await get(service, path)
  const { id, token } = body["payment_intent"] as { readonly id: string; readonly token: string }
  const { status } = await call(service, "buyer", simulated(id, "pay"))
  expect(status).toBe(200)
  const [challenge] = parseChallenges(headers.get("WWW-Authenticate") ?? "")
  if (challenge === undefined) throw new Error("There is no challenge.")
  const accepted = { scheme: "payport", network: "payport:sandbox" }
  const payment = { x402Version: 2, accepted, payload: { payment_intent: id, token } }
  return [
    { "X-Payment-Intent": id, "X-Payment-Token": token },
    { "PAYMENT-SIGNATURE": btoa(JSON.stringify(payment)) },
    { Authorization: credentialFor({ id, token }, challenge) },
  ]
}

test("one proof shown 50 times at two processes and three doors passes once", async () => {
  const database = await emptyOne()
  const folder = await temporaryFolder()
  const start = () => startOn(folder, { PAYPORT_DATABASE_URL: database })
  const [one, two] = await Promise.all([start(), start()])
  const { endpoint } = await openReceiver()
  const path = `/v1/sandbox/paid/${await openShop(one, endpoint)}`
  const proofs = await paid(one, path)
  const kept = await paid(two, path)
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => get(n % 2 === 0 ? one : two, path, proofs[n % 3])),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const others = new Set(answers.filter(({ status }) => status !== 200).map(({ code }) => code))
  // On a busy machine, some requests are told to retry during another's capture.
  others.delete("PAYMENT_UNRESOLVED")
  expect([...others]).toEqual(["PAYMENT_PROOF_USED"])
  const used = { status: 402, code: "PAYMENT_PROOF_USED" }
  for (const proof of proofs) expect(await get(two, path, proof)).toMatchObject(used)
  for (const { child, ended } of [one, two]) {
    child.kill("SIGKILL")
    await ended
  }
  const again = await start()
  for (const proof of proofs) expect(await get(again, path, proof)).toMatchObject(used)
  expect((await get(again, path, kept[2])).status).toBe(200)
  for (const proof of kept) expect(await get(again, path, proof)).toMatchObject(used)
}, 180_000)
