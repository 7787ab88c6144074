import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import * as OneTimePay from "../../../core/payments/OneTimePay.ts"
import * as RequestPayment from "../../../core/payments/RequestPayment.ts"
import { edges } from "../../../core/shared/Machine.ts"

const mermaid = (moves: ReturnType<typeof edges>): string =>
  [
    "```mermaid",
    "stateDiagram-v2",
    "  [*] --> pending",
    ...moves.map(({ from, event, to }) => `  ${from} --> ${to}: ${event}`),
    "```",
  ].join("\n")

describe("the diagrams of the core's README", () => {
  const machines = {
    "Request Payment": mermaid(edges(RequestPayment.machine.table)),
    "One-Time Pay": mermaid(edges(OneTimePay.machine.table)),
  }
  it.each(Object.entries(machines))("%s is drawn from its table", async (title, diagram) => {
    const readme = await readFile(new URL("../../../core/README.md", import.meta.url), "utf8")
    expect(readme).toContain(`## ${title}\n\n${diagram}\n`)
  })
})
