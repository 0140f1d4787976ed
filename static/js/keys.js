// A key for what a person does, so that it is done once however often it is sent. randomUUID is missing on plain http,
// which is how a phone reaches a computer at home.
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
