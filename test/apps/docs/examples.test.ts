import { spawn } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { exampleRequest } from "../../../adapters/http/contract/oauth.ts"
import { makeClient } from "../../../adapters/http/client/client.ts"
import {
  clientCallOf,
  curlOf,
  operationOf,
  toolCallOf,
} from "../../../apps/docs/examples/exampleOf.ts"
import { KEYS, NAMES, RECEIVER, SAMPLE, type Step } from "../../../apps/docs/examples/Step.ts"
import { story } from "../../../apps/docs/examples/story.ts"
import { BASE_URL, operations } from "../../../apps/docs/reference/OpenApi.ts"
import { TOOL_KINDS } from "../../../core/agents/Tool.ts"
import { registerClient } from "../../../core/oauth/clients.ts"
import { ADMIN_KEY, type App, startApp } from "../../support/app.ts"

/** Operations without an example: channels' gateways call them, with signatures. */
const WITHOUT = ["channelCallbacks.receive"]

let app: App
let program: string
const receiver = createServer((_, response) => response.end())
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  const { client_id } = await app.run(
    registerClient({ redirect_uris: [exampleRequest.redirect_uri] }),
  )
  program = client_id
})
afterAll(async () => {
  receiver.close()
  await app.stop()
})

const at = (answer: unknown, path: string): string => {
  const found = path
    .split(".")
    .reduce<unknown>(
      (value, key) => (value as { [key: string]: unknown } | undefined)?.[key],
      answer,
    )
  if (typeof found !== "string") throw new Error(`${path} is not in ${JSON.stringify(answer)}`)
  return /^\d{6}\b/.exec(found)?.[0] ?? found
}

/** The real values for the samples in a story. */
const makeReal = (run: string) => {
  const { port } = receiver.address() as AddressInfo
  const real = new Map<string, string>([
    [RECEIVER, `http://127.0.0.1:${port}/${run}`],
    [BASE_URL, app.url],
    ...NAMES.map((name) => [name, `${name}_${run}`] as const),
    ["$ADMIN_KEY", ADMIN_KEY],
    [exampleRequest.client_id, program],
    ["+14155550123", `+1415555${run === "curl" ? "0124" : "0125"}`],
    ["buyer@example.com", `${run}@example.com`],
  ])
  return {
    text: (text: string) =>
      [...real].reduce((sofar, [sample, found]) => sofar.replaceAll(sample, found), text),
    keep: ({ gives = {} }: Step, answer: unknown) => {
      for (const [sample, path] of Object.entries(gives)) real.set(sample, at(answer, path))
    },
    keyOf: (step: Step) => real.get(`$${KEYS[step.as] ?? ""}`) ?? "",
  }
}

const label = (step: Step, n: number) => `${n} ${step.operation}`

test("every operation has an example", () => {
  const shown = new Set([...story.map(({ operation }) => operation), ...WITHOUT])
  expect(operations.map(({ operationId }) => operationId).filter((id) => !shown.has(id))).toEqual(
    [],
  )
})

test("every kind of tool has an example, at the operation that does the same", () => {
  const shown = story.flatMap(({ tool }) => tool?.name.split("__")[1] ?? [])
  expect(shown.toSorted()).toEqual([...TOOL_KINDS].toSorted())
})

test("every sample is given by an answer or stands for nothing else", () => {
  const given = new Set(story.flatMap(({ gives = {} }) => Object.keys(gives)))
  expect(Object.values(SAMPLE).filter((sample) => !given.has(sample))).toEqual([])
})

type Real = ReturnType<typeof makeReal>

/** One shell for all commands: starting one from here takes longer than what it runs. */
const openShell = () => {
  const shell = spawn("bash", { stdio: ["pipe", "pipe", "inherit"] })
  shell.stdout.setEncoding("utf8")
  onTestFinished(() => void shell.kill())
  return (command: string) =>
    new Promise<string>((resolve) => {
      let text = ""
      const read = (more: string) => {
        text += more
        if (!text.endsWith("\0")) return
        shell.stdout.off("data", read)
        resolve(text.slice(0, -1))
      }
      shell.stdout.on("data", read)
      shell.stdin.write(`${command}; printf '\\0'\n`)
    })
}

/** Calls the client as in the example, and keeps the values of the answer. */
const callClient = async (step: Step, real: Real, name: string) => {
  const code = clientCallOf(step)
  if (code === undefined) return
  const [, answered = "undefined"] = /^const (\{ data \}|\w+) =/.exec(code) ?? []
  const body = `{ ${real.text(code)}; return ${answered} }`
  const module = `export const run = async (payport, console) => ${body}`
  const { run } = (await import(`data:text/javascript,${encodeURIComponent(module)}`)) as {
    readonly run: (payport: unknown, console: object) => Promise<unknown>
  }
  const client = makeClient({ baseUrl: app.url, apiKey: real.keyOf(step), retries: 0 })
  const answer = await run(client, { log: () => {} }).catch((error: unknown) => error)
  expect(answer, name).not.toBeInstanceOf(Error)
  real.keep(step, answer)
}

const callTool = async (step: Step, real: Real, name: string) => {
  const tool = toolCallOf(step)
  if (tool === undefined) return
  const called = await fetch(`${app.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${real.keyOf(step)}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: real.text(JSON.stringify(tool)),
  })
  const { result } = (await called.json()) as { readonly result?: { readonly isError?: true } }
  expect(result?.isError ?? result === undefined, `${name} as a tool`).toBe(false)
}

// A curl is a process: a busy machine takes its time for so many of them.
describe("the examples of the reference", { timeout: 120_000 }, () => {
  test("do what they say by curl, and as tools", async () => {
    const real = makeReal("curl")
    const ask = openShell()
    const seen = new Set<string>()
    for (const [n, step] of story.entries()) {
      const name = label(step, n)
      const isExample = !seen.has(step.operation)
      seen.add(step.operation)
      if (!isExample) {
        await (step.tool === undefined ? callClient : callTool)(step, real, name)
        continue
      }
      const command = real.text(curlOf(step)).replace(/^curl/, "curl -sS -w '\\n%{http_code}'")
      const said = await ask(command)
      const cut = said.lastIndexOf("\n")
      const [text, status] = [said.slice(0, cut), Number(said.slice(cut + 1))]
      const good = Object.keys(operationOf(step).responses).filter((code) => code < "300")
      const expected = step.status === undefined ? good.map(Number) : [step.status]
      expect(expected, `${name}: ${text}`).toContain(status)
      if (step.gives !== undefined) real.keep(step, JSON.parse(text))
      await callTool(step, real, name)
    }
  })

  test("do the same by the typed client", async () => {
    const real = makeReal("client")
    for (const [n, step] of story.entries()) await callClient(step, real, label(step, n))
  })
})
