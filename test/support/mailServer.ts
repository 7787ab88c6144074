import { Redacted } from "effect"
import { type AddressInfo, createServer } from "node:net"
import { onTestFinished } from "vitest"

/** A mail server that answers each line after the greeting with `answer`, and records the lines. */
export const mailServer = async (answer: (line: string) => string) => {
  const heard: Array<string> = []
  const server = createServer((socket) => {
    let reading = false
    socket.on("error", () => undefined)
    socket.write("220 mail.test\r\n")
    socket.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\r\n")) {
        if (line === "") continue
        heard.push(line)
        if (reading && line !== ".") continue
        reading = line === "DATA"
        socket.write(line === "DATA" ? "354 go on\r\n" : `${answer(line)}\r\n`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const settings = {
    url: Redacted.make(`smtp://127.0.0.1:${port}?ignoreTLS=true`),
    from: "codes@payport.test",
  }
  return { heard, settings, close: () => server.close() }
}
