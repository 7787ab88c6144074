import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"
import { webhookServer } from "../../../adapters/receiver/examples/nodeHttp.ts"
import type { WebhookEvent } from "../../../adapters/receiver/webhooks.ts"
import { program } from "../../support/programs.ts"
import { projectRoot } from "../../support/sourceFiles.ts"

/** The secret that the deliveries of these tests are signed with. */
export const SECRET = "whsec_of-the-listener"

const serve = async (server: ReturnType<typeof createServer>, port = 0): Promise<string> => {
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server on loopback for one test. */
export const aServer = (answer: RequestListener, port?: number) => serve(createServer(answer), port)

/** A receiver with the receiver's half of the webhooks, and what it has taken. */
export const aReceiver = async (port?: number) => {
  const events: Array<WebhookEvent> = []
  const refused: Array<unknown> = []
  const handle = (event: WebhookEvent) => void events.push(event)
  const server = webhookServer({ secrets: SECRET, handle }, (error) => refused.push(error))
  return { url: `${await serve(server, port)}/hook`, events, refused }
}

/** Waits until something holds. */
export const until = async (holds: () => boolean, what: () => string): Promise<void> => {
  const deadline = performance.now() + 50_000
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`It did not come: ${what()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Starts `npm run listen` as its process. */
export const startListening = (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [program("listen"), ...args], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "pipe"],
  })
  let [stdout, stderr] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const ended = new Promise<number | string>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"))
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
    await ended
  })
  const lines = () => stdout.split("\n").filter((line) => line !== "")
  const shows = (text: string) =>
    until(
      () => stdout.includes(text),
      () => `${text} in\n${stdout}${stderr}`,
    )
  return { child, ended, lines, shows, stderr: () => stderr }
}
