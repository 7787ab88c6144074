/** What an agent may be asked to do. */
export const KINDS = ["service", "quote", "tools", "resource", "refund", "webhook"] as const
export type Kind = (typeof KINDS)[number]

/** One task of an agent, as it is told of it. */
export interface Task {
  /** Differs from every other task of the run. */
  readonly id: string
  readonly kind: Kind
  /** What to do, in words. */
  readonly text: string
  /** The most that all of it may cost, in minor units of `currency`. */
  readonly budget: number
  readonly currency: string
  /** The base URL of the service, and the agent's key there. */
  readonly payport_url: string
  readonly api_key: string
  /** The agent's name there. */
  readonly agent_id: string
  /** Where its tools are, over MCP. */
  readonly mcp_url: string
  /** The exact name of what is to be bought, of the kinds service, quote, tools and webhook. */
  readonly service_name?: string
  /** Its id; left out where the agent is to find it. */
  readonly service_id?: string
  /** What answers 402, of the kind resource, and the service that it is paid to. */
  readonly resource?: string
  readonly pay_to?: string
  /** The payment that is to be asked back, of the kind refund. */
  readonly payment_intent?: string
  /** What deliveries to the agent's receiver are signed with, of the kind webhook. */
  readonly webhook_secret?: string
}

const NAMES = {
  id: "TASK_ID",
  kind: "TASK_KIND",
  text: "TASK",
  budget: "BUDGET",
  currency: "CURRENCY",
  payport_url: "PAYPORT_URL",
  api_key: "PAYPORT_API_KEY",
  agent_id: "AGENT_ID",
  mcp_url: "MCP_URL",
  service_name: "SERVICE_NAME",
  service_id: "SERVICE_ID",
  resource: "RESOURCE_URL",
  pay_to: "PAY_TO",
  payment_intent: "PAYMENT_INTENT",
  webhook_secret: "PAYPORT_WEBHOOK_SECRET",
} as const satisfies { readonly [F in keyof Required<Task>]: string }

/** The environment variables that tell a command of its task. */
export const variablesOf = (task: Task): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(NAMES).flatMap(([field, name]) => {
      const value = task[field as keyof Task]
      return value === undefined ? [] : [[name, String(value)]]
    }),
  )
