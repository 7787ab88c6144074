/** The styles of the report, for light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1d2330; --soft: #6b7280;
  --line: #e4e1d8; --card: #ffffff; --accent: #2f6f6a; --good: #2e7d4f; --bad: #b3261e;
  --bar: #7fb3ad; --zero: #f3d9d6; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171c; --ink: #e8e6e1; --soft: #9aa1ad;
  --line: #2b3038; --card: #1b1f26; --accent: #7cc4bd; --good: #6fcf97; --bad: #ff8a80;
  --bar: #3f7d77; --zero: #4a2a28; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 40px 24px 80px; }
h1 { font-size: 30px; letter-spacing: -0.02em; margin: 0 0 4px; }
p.kicker { margin: 0 0 6px; font-size: 13px; font-weight: 600; letter-spacing: 0.04em;
  text-transform: uppercase; color: var(--accent); }
h2 { font-size: 18px; margin: 44px 0 12px; letter-spacing: -0.01em; }
p.lead { color: var(--soft); margin: 0 0 24px; }
.verdict { display: inline-block; padding: 6px 14px; border-radius: 99px; font-weight: 600;
  color: var(--paper); background: var(--good); margin: 8px 0 24px; }
.verdict.bad { background: var(--bad); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(125px, 1fr)); gap: 12px; }
.cards.plots { grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 14px 16px; }
.card b { display: block; font-size: 22px; letter-spacing: -0.02em;
  font-variant-numeric: tabular-nums; }
.card span { color: var(--soft); font-size: 13px; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums;
  background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
th { text-align: left; font-weight: 600; font-size: 13px; color: var(--soft); }
th, td { padding: 7px 12px; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
td.n, th.n { text-align: right; white-space: nowrap; }
td.soft { color: var(--soft); font-size: 13px; }
tr.broken td { color: var(--bad); font-weight: 600; }
.bar { position: relative; width: 220px; }
.bar svg { height: 12px; margin-top: 5px; }
.scroll { overflow-x: auto; border-radius: 12px; }
.pairs td, .pairs th { padding: 5px 8px; text-align: right; font-size: 13px; white-space: nowrap; }
.pairs th:first-child { text-align: left; }
.pairs th { writing-mode: initial; }
.pairs td.legal { outline: 1px solid var(--accent); outline-offset: -3px; border-radius: 6px; }
.pairs td.zero { background: var(--zero); }
.pairs td.none { color: var(--line); }
svg { display: block; width: 100%; height: auto; }
svg.wide { min-width: 720px; }
svg text { fill: var(--ink); font: 11px ui-sans-serif, system-ui, sans-serif; }
svg text.soft { fill: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: 6px 16px; margin: 0 0 10px; font-size: 13px;
  color: var(--soft); }
.legend svg { display: inline-block; width: 10px; margin-right: 6px; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 10px 16px; margin: 8px 0; }
summary { cursor: pointer; font-weight: 600; }
pre { white-space: pre-wrap; font-size: 13px; overflow-wrap: anywhere; }
pre.file { max-height: 420px; overflow-y: auto; }
h3 { font-size: 15px; margin: 22px 0 6px; }
a { color: var(--accent); }
p.finding { color: var(--bad); font-weight: 600; overflow-wrap: anywhere; }
p.command { color: var(--soft); font-size: 13px; }
p.command code { display: block; color: var(--ink); padding: 8px 12px; margin-top: 4px;
  border: 1px solid var(--line); border-radius: 8px; overflow-wrap: anywhere;
  user-select: all; }
.sequence line, .sequence polygon, .sequence circle { stroke: var(--accent); fill: var(--accent);
  stroke-width: 1.5; }
.sequence line.lane { stroke: var(--line); stroke-width: 1; }
.sequence rect { fill: var(--line); opacity: 0.6; }
.sequence .fault text { fill: var(--soft); font-style: italic; }
.sequence .violation rect { fill: var(--zero); opacity: 1; }
.sequence .violation text { fill: var(--bad); font-weight: 600; }
@media (max-width: 680px) { main { padding: 24px 16px 56px; } th.soft, td.soft { display: none; }
  .bar { width: 60px; min-width: 60px; } th, td { padding: 7px 8px; }
  .cards.plots { grid-template-columns: 1fr; } }
footer { color: var(--soft); font-size: 13px; margin-top: 48px; word-break: break-all; }
`
