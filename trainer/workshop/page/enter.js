// The instructor's door: a code behind the address's # opens it, and is gone from the address.

import { onSubmit, post } from "./asking.js";

const form = document.getElementById("enter");
const code = document.getElementById("code");
onSubmit(form, document.getElementById("state"), async () => {
  await post("/enter", { code: code.value });
  location.replace("/");
});
if (location.hash.length > 1) {
  code.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", "/enter");
  form.requestSubmit();
}
