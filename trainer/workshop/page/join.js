// The code came behind the address's #.

const code = location.hash.slice(1);
if (/^[A-Z0-9]{4,12}$/.test(code)) {
  document.querySelectorAll(".code").forEach((each) => (each.textContent = code));
  document.getElementById("without").hidden = true;
}
