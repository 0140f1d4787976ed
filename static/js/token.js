// The token by which the server knows a form of its own pages. A page may be older than the token it carries, or made on
// this phone without one; the answer that refuses it brings one that will do.
export function renewed(answer) {
  const token = answer.status === 400 && answer.headers.get("X-CSRF-Token");
  if (!token) return false;
  for (const field of document.querySelectorAll("[name=csrf_token]")) field.value = token;
  return true;
}
