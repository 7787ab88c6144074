import { createHash, randomBytes } from "node:crypto"
import { Effect, Exit, Scope } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { startOn, temporaryFolder } from "../../apps/server/service.ts"
import { callTool } from "../../support/app.ts"
import { askDatabase, urlOf } from "../../support/askDatabase.ts"
import { testDatabase } from "../../support/postgres.ts"
import { call } from "../../support/shop.ts"
import { limits, REDIRECT } from "./Program.ts"

/** Two processes of the service on one database, each at its own address. */
const twoProcesses = async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const folder = await temporaryFolder()
  const environment = { PAYPORT_DATABASE_URL: urlOf(database) }
  const [one, two] = await Promise.all([startOn(folder, environment), startOn(folder, environment)])
  return { database, services: [one, two] as const }
}

test("a code and a refresh token work once, whichever process is asked", async () => {
  const { database, services } = await twoProcesses()
  const [one, two] = services
  const registered = await fetch(`${one.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [REDIRECT] }),
  })
  const { client_id } = (await registered.json()) as { readonly client_id: string }

  const token = async (url: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ ...fields, client_id })
    const answer = await fetch(`${url}/oauth/token`, { method: "POST", body })
    const json = (await answer.json()) as { readonly [name: string]: string }
    return { status: answer.status, json }
  }
  const code = async () => {
    const code_verifier = randomBytes(32).toString("base64url")
    const request = {
      response_type: "code",
      client_id,
      redirect_uri: REDIRECT,
      code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
      code_challenge_method: "S256",
    }
    const body = { request, restrictions: limits() }
    const agreed = await call(two, "buyer", { path: "/v1/oauth/authorization", body })
    expect(agreed.status, agreed.text).toBe(201)
    const { searchParams } = new URL(String(agreed.body["redirect_to"]))
    const grant = { grant_type: "authorization_code", redirect_uri: REDIRECT, code_verifier }
    return { ...grant, code: String(searchParams.get("code")) }
  }
  const opens = async (url: string, access_token: string) => {
    const headers = { authorization: `Bearer ${access_token}` }
    const { status } = await callTool({ url }, "x__pay_one_time", {}, headers)
    return status === 200
  }

  // Twenty simultaneous requests at both processes: a token that one gets is revoked by the second
  // use.
  const fields = await code()
  const raced = await Promise.all(
    Array.from({ length: 20 }, (_, n) => token((services[n % 2] ?? one).url, fields)),
  )
  expect(raced.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  const keys = await askDatabase(
    database,
    "SELECT revoked_at IS NOT NULL AS revoked FROM api_keys WHERE oauth IS NOT NULL",
  )
  expect(keys).toEqual([{ revoked: true }])

  const first = await token(one.url, await code())
  expect(first.status).toBe(200)
  const refresh = { grant_type: "refresh_token", refresh_token: first.json["refresh_token"] ?? "" }
  const second = await token(two.url, refresh)
  // The person has agreed at the second process, whose tools the token opens.
  expect(await opens(two.url, second.json["access_token"] ?? "")).toBe(true)
  expect((await token(one.url, refresh)).status).toBe(400)
  const later = { ...refresh, refresh_token: second.json["refresh_token"] ?? "" }
  expect((await token(two.url, later)).status).toBe(400)
  await expect.poll(() => opens(two.url, second.json["access_token"] ?? "")).toBe(false)
}, 120_000)
