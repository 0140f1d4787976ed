// Where a practice match is played: each step is asked for here. What it takes and gives is in
// scorekeeper/pages/practice.py. Rejects where nobody answers.
const PATIENCE = 20_000; // ms

export async function step(request) {
  const address = document.querySelector("[data-step]").dataset.step;
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(request), signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok && answer.status !== 422) throw new Error(String(answer.status));
  return answer.json();
}
