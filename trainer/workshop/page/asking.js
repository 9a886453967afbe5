// Requests that change something, and what became of them.

export async function post(place, body) {
  const answer = await fetch(place, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(told.why ?? answer.statusText);
  return told;
}

// Lets a form be sent once at a time, and says in a line what is wrong.
export function onSubmit(form, state, act) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const buttons = [...form.querySelectorAll("button")];
    buttons.forEach((each) => (each.disabled = true));
    try {
      await act(event.submitter);
    } catch (error) {
      state.textContent = String(error.message);
    } finally {
      buttons.forEach((each) => (each.disabled = false));
    }
  });
}
