import { Result } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, onTestFinished, test } from "vitest"
import { parse } from "yaml"
import { type Client, makeClient } from "../../../adapters/http/client/client.ts"
import { readOptions } from "../../../apps/record/options.ts"
import { readScenario } from "../../../simulator/scenarios/readScenario.ts"
import { program, runSimulate } from "../../support/programs.ts"
import { manifest, preparedFolder, startOn, temporaryFolder } from "../server/service.ts"

/** Starts `payport record` before a service; returns its final output. */
const startRecording = async (target: string, out: string) => {
  const args = ["--target", target, "--out", out, "--port", "0", "--json"]
  const child = spawn(process.execPath, [program("record"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  })
  let stderr = ""
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
  onTestFinished(() => void child.kill("SIGKILL"))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? "{}") as unknown
  const { ready } = (await next()) as { readonly ready: string }
  const fail = async () => {
    child.kill("SIGTERM")
    const [code] = (await once(child, "close")) as [number]
    return { code, stderr }
  }
  const end = async () => {
    const [said, { code }] = await Promise.all([next(), fail()])
    return { code, said }
  }
  return { url: ready, end, fail }
}

/** Makes payments of every kind at the clients' address. */
const trade = async (seller: Client, buyer: Client) => {
  const { id } = await seller.services.create({
    ...manifest("https://answers.example/hook"),
    accepted_channels: ["wallet_a", "wallet_b"],
    payment_methods: { one_time: true },
    qr_mode: "dynamic",
  })
  await seller.services.activate(id)
  const description = "The answer to a secret question"
  const order = (value: number) =>
    ({ service_id: id, type: "one_time", amount: { currency: "USD", value }, description }) as const
  const request = async (value: number, channel: string | null, idempotencyKey: string) =>
    buyer.intents.create(
      { ...order(value), ...(channel !== null && { payer_channel: channel }) },
      { idempotencyKey },
    )
  const paid = async (intent: { readonly id: string }) => {
    await buyer.sandbox.simulate(intent.id, { action: "pay" })
    return intent.id
  }
  const whole = await paid(await request(699, "wallet_a", "order-1"))
  expect((await request(699, "wallet_a", "order-1")).id).toBe(whole)
  await seller.intents.capture(whole)
  const part = await paid(await request(500, "wallet_a", "order-2"))
  await seller.intents.capture(part, { amount: { currency: "USD", value: 123 } })
  const refused = await request(300, null, "order-3")
  await buyer.sandbox.simulate(refused.id, { action: "insufficient_balance" })
  const voided = await request(200, null, "order-4")
  await seller.intents.void(voided.id)
  await seller.sandbox.advanceClock({ seconds: 30 })
  const linked = await buyer.payments.create({
    service_id: id,
    amount: { currency: "USD", value: 250 },
    description,
    payer: { agent_id: "demo-buyer" },
  })
  await paid(linked)
  await expect(buyer.intents.create(order(-1))).rejects.toThrow()
  await seller.refunds.create({ payment_intent: whole, amount: { currency: "USD", value: 99 } })
  await seller.refunds.createOfIntent(linked.id)
  await seller.refunds.create({ payment_intent: part })
  const ids = [whole, part, refused.id, voided.id, linked.id]
  const shown = await Promise.all(ids.map((one) => buyer.intents.get(one)))
  return { ids: [id, ...ids], statuses: shown.map(({ status }) => status), description }
}

test("a client's traffic is played by payport simulate as it was recorded", async () => {
  const out = join(await temporaryFolder(), "monday.yaml")
  const { buyerKey, sellerKey, url } = await startOn(await preparedFolder())
  const recording = await startRecording(url, out)
  const clientOf = (apiKey: string) => makeClient({ baseUrl: recording.url, apiKey })
  const { description, ids, statuses } = await trade(clientOf(sellerKey), clientOf(buyerKey))
  expect(await recording.end()).toEqual({
    code: 0,
    said: {
      file: out,
      recorded: {
        payments: 5,
        by_link: 1,
        captures: 2,
        captures_of_a_part: 1,
        voids: 1,
        cancels: 0,
        refunds: 3,
        subscriptions: 0,
      },
      not_expressed: expect.objectContaining({
        "POST /v1/services": 1,
        "POST /v1/payment-intents, answered before under the same key": 1,
        "POST /v1/payment-intents, refused with 400": 1,
      }),
    },
  })

  const text = await readFile(out, "utf8")
  const secrets = [sellerKey, buyerKey, description, "demo-buyer", "order-1", ...ids]
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])

  const { plays: _, ...mix } = parse(text) as { readonly plays: unknown }
  expect(Result.isSuccess(readScenario(mix))).toBe(true)

  const { code, stdout } = await runSimulate("--scenario", out, "--seed", "7", "--json")
  const played = JSON.parse(stdout) as {
    readonly intents: number
    readonly statuses: { readonly [status: string]: number }
    readonly latencies: { readonly [route: string]: { readonly count: number } }
  }
  const count = (route: string) => played.latencies[route]?.count
  expect(code).toBe(0)
  expect({
    payments: played.intents,
    requested: count("POST /v1/payment-intents"),
    linked: count("POST /v1/payments/one-time"),
    captures: count("POST /v1/payment-intents/{id}/capture"),
    refunds: count("POST /v1/refunds"),
  }).toEqual({ payments: 5, requested: 4, linked: 1, captures: 2, refunds: 3 })
  const final = statuses.map((status) => (status === "captured" ? "succeeded" : status))
  expect(played.statuses).toEqual(
    Object.fromEntries(
      [...Map.groupBy(final, (status) => status)].map(([s, all]) => [s, all.length]),
    ),
  )
}, 120_000)

test.each([
  ["a folder", ["--out", "apps"], "--out has to be a file, such as recorded.yaml in that folder"],
  ["a folder that is called like one", ["--out", "FOLDER"], "--out has to be a file, such as"],
  ["another format", ["--out", "a.txt"], "--out has to be a .yaml, .yml or .json file"],
  ["a name that moves the cursor", ["--name", "\u001b[A", "--out", "a.yaml"], "--name has to be a"],
])("%s is not recorded to", async (_, given, said) => {
  const folder = join(await temporaryFolder(), "recorded.yaml")
  await mkdir(folder)
  const args = given.map((one) => (one === "FOLDER" ? folder : one))
  expect(() => readOptions(["--target", "http://127.0.0.1:4020", ...args])).toThrow(said)
})

test("a file that cannot be written any more is told in words", async () => {
  const out = join(await temporaryFolder(), "monday.yaml")
  const { buyerKey, sellerKey, url } = await startOn(await preparedFolder())
  const recording = await startRecording(url, out)
  const clientOf = (apiKey: string) => makeClient({ baseUrl: recording.url, apiKey })
  await trade(clientOf(sellerKey), clientOf(buyerKey))
  await mkdir(out)
  const { code, stderr } = await recording.fail()
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The recording is lost: .*monday\.yaml cannot be written: [^\n]*\n$/)
}, 120_000)
