import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, onTestFinished, test } from "vitest"
import {
  makeClient,
  payingFetch,
  sandboxWallet,
  type Wallet,
  x402Buyer,
} from "../../../../adapters/http/client/entry.ts"
import { BUYER_CHECKS, buyerGrader } from "../../../../apps/grade/buyer/grader.ts"
import type { Task } from "../../../../apps/grade/buyer/Task.ts"
import type { Judged } from "../../../../apps/grade/report/Report.ts"
import { freePort } from "../../../support/freePort.ts"
import { sourceText } from "../../../support/sourceFiles.ts"
import { gradeAs, namesOf } from "../grade.ts"
import { serve } from "../serve.ts"
import { MUTANTS, UNSEEN } from "./mutants.ts"
import { act, askForTasks, type Inbox, type Parts } from "./subject.ts"

const LONG = 300_000

/** A receiver that passes its webhooks on, and answers errors with 500. */
const receiveInto = (inbox: Inbox) =>
  serve(
    createServer((request: IncomingMessage, response: ServerResponse) => {
      let text = ""
      request.on("data", (chunk: Buffer) => (text += chunk.toString()))
      request.on("end", () => {
        const { type } = JSON.parse(text) as { readonly type: string }
        const heard = inbox.hear({ id: String(request.headers["x-webhook-id"]), type })
        void heard
          .then(() => 204)
          .catch(() => 500)
          .then((status) => response.writeHead(status).end())
      })
    }),
  )

/** Grades an agent that asks for its tasks in this process. */
const grade = async (
  play: (task: Task) => Promise<boolean>,
  ...args: ReadonlyArray<string>
): Promise<ReadonlyArray<Judged>> => {
  const port = await freePort()
  const grading = gradeAs(buyerGrader, "--port", String(port), ...args)
  const asking = askForTasks(`http://127.0.0.1:${port}`, play)
  const checks = await grading
  await asking
  return checks
}

const gradeOurs = async (parts: Partial<Parts>, only: ReadonlyArray<string>) => {
  const inbox: Inbox = { hear: () => Promise.resolve() }
  const receiver = ["--receiver", `${await receiveInto(inbox)}/hook`]
  const some = only.length === 0 ? [] : ["--only", only.join(",")]
  return grade((task) => act(task, parts, inbox), ...receiver, ...some)
}

test(
  "a receiver that does not answer keeps nothing open after the run",
  async () => {
    const [came, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const silent = createServer(({ socket }: IncomingMessage) => {
      socket.once("close", () => closed.resolve())
      came.resolve()
    })
    const buys = async ({ agent_id, api_key, payport_url, service_id }: Task) => {
      const amount = { currency: "USD", value: 69 }
      const payer = { agent_id }
      await fetch(`${payport_url}/v1/payments/one-time`, {
        method: "POST",
        headers: { Authorization: `Bearer ${api_key}`, "Content-Type": "application/json" },
        body: JSON.stringify({ service_id, amount, payer, description: "A forecast" }),
      })
      await came.promise
      return false
    }
    const receiver = ["--receiver", `${await serve(silent)}/hook`]
    await grade(buys, ...receiver, "--only", "repeated-webhook")
    const late = sleep(1_000, "open", { ref: false })
    expect(await Promise.race([closed.promise.then(() => "closed"), late])).toBe("closed")
  },
  LONG,
)

describe("a buyer that is right", () => {
  test(
    "passes every check",
    async () => {
      const checks = await gradeOurs({}, [])
      expect(checks.filter(({ verdict }) => verdict.outcome !== "passed")).toEqual([])
      expect(checks).toHaveLength(BUYER_CHECKS.length)
    },
    LONG,
  )

  test(
    "is paid for what it watches",
    async () => {
      const only = ["buys", "lost-answer", "never-paid", "rejected", "expired-quote"]
      const checks = await gradeOurs({ watches: true }, only)
      expect(namesOf(checks, "passed")).toEqual(only)
    },
    LONG,
  )

  test(
    "is not judged by what it does not do",
    async () => {
      const kinds = ["--kinds", "resource,webhook", "--only", "pays-402,402-payee,buys,look-alike"]
      const checks = await grade((task) => act(task), ...kinds)
      expect(namesOf(checks, "passed")).toEqual(["pays-402", "402-payee"])
      expect(namesOf(checks, "not_judged")).toEqual(["buys", "look-alike"])
    },
    LONG,
  )
})

/** A client that we did not write, with our scheme as its documentation has it. */
const withX402Fetch = async (task: Task, picks: boolean) => {
  const { api_key, budget, currency, pay_to, payport_url, resource = "" } = task
  const payport = { baseUrl: payport_url, apiKey: api_key }
  const limits = { currency, total: budget, perCall: budget }
  const buyer = x402Buyer(fetch, { payport, wallet: sandboxWallet(payport), budget: limits })
  const client = new x402Client().register("payport:*", buyer.scheme)
  if (picks) client.registerPolicy((_, offers) => offers.filter(({ payTo }) => payTo === pay_to))
  const paying = wrapFetchWithPayment(buyer.fetch, client)
  const once = () =>
    paying(resource).then(
      ({ status }) => status === 200,
      () => false,
    )
  return (await once()) || once()
}

describe("@x402/fetch", () => {
  test(
    "passes with a policy of whom it pays",
    async () => {
      const checks = await grade((task) => withX402Fetch(task, true), "--kinds", "resource")
      expect(namesOf(checks, "failed")).toEqual([])
      expect(namesOf(checks, "passed")).toHaveLength(8)
    },
    LONG,
  )

  test(
    "pays whoever a 402 names as it comes",
    async () => {
      const checks = await grade((task) => withX402Fetch(task, false), "--kinds", "resource")
      expect(namesOf(checks, "failed")).toEqual(["402-payee"])
    },
    LONG,
  )
})

describe("payingFetch", () => {
  const withWallet = async (
    { api_key, budget, currency, payport_url, resource = "" }: Task,
    walletOf: (payport: { readonly baseUrl: string; readonly apiKey: string }) => Wallet,
  ) => {
    const wallet = walletOf({ baseUrl: payport_url, apiKey: api_key })
    const limits = { currency, total: budget, perCall: budget }
    const paying = payingFetch(fetch, wallet, { budget: limits, hosts: [new URL(resource).host] })
    return paying(resource).then(
      ({ status }) => status === 200,
      () => false,
    )
  }

  test.each<[string, (payport: { baseUrl: string; apiKey: string }) => Wallet, string]>([
    ["keeps within its budget with our wallet", sandboxWallet, "passed"],
    [
      "does not with a wallet that pays any amount",
      (payport) => ({
        pay: async ({ id }) =>
          void (await makeClient(payport).sandbox.simulate(id, { action: "pay" })),
      }),
      "failed",
    ],
  ])(
    "%s",
    async (_, walletOf, outcome) => {
      const checks = await grade((task) => withWallet(task, walletOf), "--only", "402-amount")
      expect(checks).toMatchObject([{ verdict: { outcome } }])
    },
    LONG,
  )
})

describe("an agent that is started by a command", () => {
  const command = async (text: string): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), "payport-agent-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, "agent.mjs")
    await writeFile(file, text)
    return `"${process.execPath}" "${file}"`
  }

  test(
    "finds its task in its environment, and says by its exit code what came of it",
    async () => {
      const agent = await command(`
const { AGENT_ID, PAYPORT_API_KEY, PAYPORT_URL, SERVICE_ID, SERVICE_NAME } = process.env
const ask = async (path, body) => {
  const response = await fetch(PAYPORT_URL + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: "Bearer " + PAYPORT_API_KEY, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.json()
}
const { id } = await ask("/v1/payments/one-time", {
  service_id: SERVICE_ID,
  amount: { currency: "USD", value: 69 },
  description: SERVICE_NAME,
  payer: { agent_id: AGENT_ID },
})
const { status } = await ask("/v1/payment-intents/" + id)
process.exitCode = status === "completed" ? 0 : 1
`)
      const checks = await gradeAs(buyerGrader, "--command", agent, "--only", "over-budget")
      expect(namesOf(checks, "passed")).toEqual(["buys"])
      // The buyer pays its usual amount, whatever the price is now.
      expect(namesOf(checks, "failed")).toEqual(["over-budget"])
    },
    LONG,
  )

  test(
    "that never ends is ended",
    async () => {
      const agent = await command("setInterval(() => undefined, 1_000)")
      const args = ["--command", agent, "--only", "buys", "--task-seconds", "1"]
      const [judged] = await gradeAs(buyerGrader, ...args)
      expect(judged?.verdict).toMatchObject({ outcome: "failed", seen: "none in time" })
    },
    LONG,
  )

  test(
    "that leaves a process behind does not keep the grader running",
    async () => {
      const pipes = () =>
        process.getActiveResourcesInfo().filter((one) => one === "PipeWrap").length
      const folder = await mkdtemp(join(tmpdir(), "payport-left-"))
      const pidFile = join(folder, "pid")
      onTestFinished(async () => {
        process.kill(Number(await readFile(pidFile, "utf8")), "SIGKILL")
        await rm(folder, { recursive: true, force: true })
      })
      const agent = await command(`
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
const code = "setInterval(() => undefined, 1_000)"
const left = spawn(process.execPath, ["-e", code], { detached: true, stdio: "inherit" })
writeFileSync(${JSON.stringify(pidFile)}, String(left.pid))
left.unref()
process.exitCode = 1
`)
      const before = pipes()
      const [judged] = await gradeAs(buyerGrader, "--command", agent, "--only", "buys")
      expect(judged?.verdict).toMatchObject({ outcome: "failed" })
      await expect.poll(pipes).toBeLessThanOrEqual(before)
    },
    LONG,
  )
})

describe("a buyer with a bug", () => {
  test.each(MUTANTS)(
    "that $name is named",
    async ({ named, parts }) => {
      const checks = await gradeOurs(parts, named)
      expect(namesOf(checks, "failed")).toEqual(expect.arrayContaining([...named]))
    },
    LONG,
  )

  test.each(UNSEEN)(
    "that $name is not seen",
    async ({ parts }) => {
      expect(namesOf(await gradeOurs(parts, ["instructions"]), "failed")).toEqual([])
    },
    LONG,
  )

  test("is named as often as the README says", async () => {
    const all = MUTANTS.length + UNSEEN.length
    const said = `| \`buyer\` | ${BUYER_CHECKS.length} | ${MUTANTS.length} of ${all} |`
    expect(await sourceText("apps/grade/README.md")).toContain(said)
  })
})

test.each([
  [[], /--command is missing/],
  [["--command", "x", "--kinds", "service,other"], /--kinds has to be some of/],
  [["--command", "x", "--only", "nothing"], /There is no check "nothing"/],
] as const)("%j is refused", (args, message) => {
  expect(() => buyerGrader.read(args)).toThrow(message)
})
