import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { manifest, order, simulated } from "../../chaos/shop.ts"
import { makeStreamingPair, type StreamingPair } from "../../support/streamingPair.ts"
import { ADMIN, type Running, secrets, start, startOn, temporaryFolder } from "./service.ts"

let pair: StreamingPair

beforeAll(async () => {
  pair = await makeStreamingPair()
})

afterAll(() => pair.close())

const startService = async (replica = pair.standby.url()): Promise<Running> =>
  startOn(await temporaryFolder(), {
    ...secrets,
    PAYPORT_DATABASE_URL: pair.primary.url(),
    PAYPORT_REPLICA_URL: replica,
  })

const ask = async ({ url }: Running, path: string, key: string, body?: object, method = "POST") => {
  const answer = await fetch(url + path, {
    method: body === undefined ? "GET" : method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const shown = (await answer.json()) as { readonly [field: string]: unknown }
  return { status: answer.status, age: answer.headers.get("payport-data-age"), shown }
}

const untilUsed = async ({ url }: Running): Promise<void> => {
  for (let looks = 0; looks < 1_000; looks += 1) {
    const shown = (await (await fetch(`${url}/readyz`)).json()) as object
    if (JSON.stringify(shown) === `{"status":"ok","replicas":["used"]}`) return
    await sleep(50)
  }
  throw new Error("The replica was not used within fifty seconds.")
}

const idsOf = ({ shown }: Awaited<ReturnType<typeof ask>>) =>
  (shown["data"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)

test("lists come from the replica and say how old they are, with one's own writes", async () => {
  // The first opens the demo's accounts, which is a write for each of them.
  const one = await startService()
  const services = [one, await startService()]
  for (const service of services) await untilUsed(service)
  const key = secrets.PAYPORT_DEMO_SELLER_KEY
  await expect.poll(async () => (await ask(one, "/v1/accounts", ADMIN)).age).toMatch(/^\d+\.\d{3}$/)
  const before = await ask(one, "/v1/accounts", ADMIN)
  expect((await ask(one, `/v1/accounts/${idsOf(before)[0]}`, ADMIN)).age).toBeNull()

  await pair.standby.manage("SELECT pg_wal_replay_pause()")
  const url = "http://127.0.0.1:9/hook"
  const made = await ask(one, "/v1/webhook-endpoints", key, { url, enabled_events: ["*"] })
  expect(made.status).toBe(201)
  for (const service of services) {
    const own = await ask(service, "/v1/webhook-endpoints", key)
    expect(own.age).toBeNull()
    expect(idsOf(own)).toStrictEqual([made.shown["id"]])
  }
  const opened = await ask(one, "/v1/accounts", ADMIN, {
    name: "Late",
    kind: "seller",
    agent_id: "late",
  })
  for (const service of services) {
    const own = await ask(service, "/v1/accounts", ADMIN)
    expect(own.age).toBeNull()
    expect(idsOf(own)).toContain(
      (opened.shown["account"] as { readonly id: string } | undefined)?.id ?? opened.shown["id"],
    )
  }
  await pair.standby.manage("SELECT pg_wal_replay_resume()")
  // The process that wrote knows when the replica shows it. The others only know that there was a
  // write.
  const all = () =>
    Promise.all(services.map((service) => ask(service, "/v1/webhook-endpoints", key)))
  await expect.poll(async () => (await all())[0]?.age).toMatch(/^\d+\.\d{3}$/)
  const [ofWriter, ofOther] = await all()
  expect(ofOther?.age).toBeNull()
  expect([ofWriter, ofOther].map((answer) => answer && idsOf(answer))).toStrictEqual([
    [made.shown["id"]],
    [made.shown["id"]],
  ])

  const metrics = await (await fetch(`${one.url}/metrics`)).text()
  expect(metrics).toMatch(/^payport_replica_used\{[^}]+\} 1$/m)
  expect(metrics).toMatch(/^payport_replica_reads_total\{[^}]*outcome="replica"[^}]*\} [1-9]/m)
  expect(metrics).toMatch(/^payport_replica_reads_total\{[^}]*outcome="own_writes"[^}]*\} [1-9]/m)
})

test("what a tester has a wallet do is in the tester's own lists", async () => {
  const service = await startService()
  await untilUsed(service)
  const { shown: opened } = await ask(service, "/v1/accounts", ADMIN, {
    name: "Tester",
    kind: "seller",
    agent_id: "tester",
  })
  const { key } = opened["api_key"] as { readonly key: string }
  const { shown: offered } = await ask(
    service,
    "/v1/services",
    key,
    manifest("https://tester.example/hook", "Tested", 9),
  )
  await ask(service, `/v1/services/${String(offered["id"])}/activate`, key, {}, "PATCH")
  const { body, path } = order(String(offered["id"]), "One answer", 9)
  const { shown: payment } = await ask(service, path, key, body)
  const payments = () => ask(service, "/v1/payment-intents", key)
  await expect.poll(async () => (await payments()).age).toMatch(/^\d+\.\d{3}$/)

  await pair.standby.manage("SELECT pg_wal_replay_pause()")
  const pay = simulated(String(payment["id"]), "pay")
  const { shown: paid } = await ask(service, pay.path, key, pay.body)
  const listed = await payments()
  await pair.standby.manage("SELECT pg_wal_replay_resume()")
  expect(paid["status"]).toBe("authorized")
  expect(listed.shown["data"]).toMatchObject([{ id: payment["id"], status: "authorized" }])
})

test("doctor says of each replica whether it follows the primary", async () => {
  const doctor = start(
    {
      ...secrets,
      PAYPORT_DATA_DIR: await temporaryFolder(),
      PAYPORT_DATABASE_URL: pair.primary.url(),
      PAYPORT_REPLICA_URL: [
        pair.standby.url(),
        pair.primary.url(),
        "postgresql://me:word@127.0.0.1:1/payport?sslmode=disable",
      ].join(),
    },
    "doctor",
  )
  await doctor.ended
  expect(doctor.stdout()).toMatch(/^ok +database +The replica \S+ follows the primary\.$/m)
  expect(doctor.stdout()).toMatch(
    /^warning +database +The replica \S+ is not a replica of another server\./m,
  )
  expect(doctor.stdout()).toMatch(
    /^warning +database +The replica 127\.0\.0\.1:1\/payport does not answer\. .*no server/m,
  )
  expect(doctor.stdout()).not.toContain("word")
})

test("a replica of another database ends the start with one line", async () => {
  await pair.primary.manage("DROP DATABASE IF EXISTS other WITH (FORCE)")
  await pair.primary.manage("CREATE DATABASE other")
  const service = start({
    ...secrets,
    PAYPORT_DATA_DIR: await temporaryFolder(),
    PAYPORT_PORT: "0",
    PAYPORT_DATABASE_URL: pair.primary.url(),
    PAYPORT_REPLICA_URL: pair.primary.url().replace("/payport?", "/other?"),
  })
  expect(await service.ended).toBe(1)
  expect(service.stderr()).toMatch(
    /^payport cannot run: The replica at \S+\/other has another database than [^\n]+\n$/,
  )
})
