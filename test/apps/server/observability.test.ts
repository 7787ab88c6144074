import { expect, test } from "vitest"
import { parse } from "yaml"
import { metricNames } from "../../support/metricNames.ts"
import { sourceText } from "../../support/sourceFiles.ts"

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

interface Rules {
  readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<Alert> }>
}

interface Panel {
  readonly id: number
  readonly title: string
  readonly gridPos: { readonly w: number; readonly x: number }
  readonly targets?: ReadonlyArray<{ readonly expr: string }>
}

const dashboard = async () => {
  const text = await sourceText("apps/server/observe/grafana-dashboard.json")
  return JSON.parse(text) as { readonly panels: ReadonlyArray<Panel> }
}

const alerts = async () => {
  const rules = parse(await sourceText("apps/server/observe/prometheus-alerts.yaml")) as Rules
  return rules.groups.flatMap((group) => group.rules)
}

/** The metrics that expressions name; of a histogram its series. */
const named = (expressions: ReadonlyArray<string>): ReadonlyArray<string> =>
  expressions.flatMap((text) => text.match(/payport_[a-z_]+/g) ?? [])

const isIn = (names: ReadonlyArray<string>) => (name: string) =>
  names.includes(name.replace(/_(?:bucket|sum|count)$/, "")) || names.includes(name)

const closes = (text: string) =>
  [...text].filter((sign) => sign === "(").length ===
  [...text].filter((sign) => sign === ")").length

test("the dashboard shows every metric there is, and no other", async () => {
  const [{ panels }, names] = [await dashboard(), await metricNames()]
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const shown = named(expressions)
  expect(shown.filter((name) => !isIn(names)(name))).toEqual([])
  const bare = shown.flatMap((name) => [name, name.replace(/_(?:bucket|sum|count)$/, "")])
  expect(names.filter((name) => !bare.includes(name))).toEqual([])
  expect(expressions.filter((text) => !closes(text))).toEqual([])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(panels.filter(({ gridPos: { w, x } }) => x + w > 24)).toEqual([])
})

test("alarms watch metrics that there are, and name what to do", async () => {
  const [rules, names] = [await alerts(), await metricNames()]
  const guide = await sourceText("apps/server/OPERATORS.md")
  const headings = Array.from(guide.matchAll(/^### (\w+)$/gm), ([, heading = ""]) => heading)
  expect(rules.length).toBeGreaterThan(10)
  expect(named(rules.map(({ expr }) => expr)).filter((name) => !isIn(names)(name))).toEqual([])
  expect(rules.map(({ alert }) => alert)).toEqual(headings)
  for (const { alert, annotations, expr, for: pause, labels } of rules) {
    expect(annotations.runbook).toBe(`apps/server/OPERATORS.md#${alert.toLowerCase()}`)
    expect(named([expr]).length, alert).toBeGreaterThan(0)
    expect(closes(expr), alert).toBe(true)
    expect([pause, labels.severity].join(" ")).toMatch(/^\d+m (?:page|warn)$/)
  }
})
