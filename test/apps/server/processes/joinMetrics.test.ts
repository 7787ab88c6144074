import { expect, test } from "vitest"
import { readMetrics } from "../../../../adapters/shared/metrics/readMetrics.ts"
import { joinMetrics } from "../../../../apps/server/processes/joinMetrics.ts"

const text = (count: number) => `# HELP requests Requests.
# TYPE requests counter
requests{route="/a",status="200"} ${count}
requests{route="/b",status="200"} 1
# HELP up Whether it runs.
# TYPE up gauge
up 1
`

test("each sample is of its process, and a family is described once", () => {
  const joined = joinMetrics([
    { process: "1", text: text(3) },
    { process: "2", text: text(5) },
    { process: "worker", text: "# TYPE due gauge\ndue{} 7\n" },
  ])
  expect(joined.match(/# TYPE requests counter/g)).toHaveLength(1)
  expect(joined).toBe(`# HELP requests Requests.
# TYPE requests counter
requests{route="/a",status="200",process="1"} 3
requests{route="/b",status="200",process="1"} 1
requests{route="/a",status="200",process="2"} 5
requests{route="/b",status="200",process="2"} 1

# HELP up Whether it runs.
# TYPE up gauge
up{process="1"} 1
up{process="2"} 1

# TYPE due gauge
due{process="worker"} 7
`)
  expect(readMetrics(joined)).toHaveLength(7)
})

test("labels with every character that they may have stay as they are", () => {
  const line = String.raw`odd{text="a \"b\" } c, d=\\"} 1`
  const [sample] = readMetrics(joinMetrics([{ process: "1", text: `# TYPE odd gauge\n${line}\n` }]))
  expect(sample).toEqual({
    name: "odd",
    labels: { text: String.raw`a "b" } c, d=\ `.trim(), process: "1" },
    value: 1,
  })
})
