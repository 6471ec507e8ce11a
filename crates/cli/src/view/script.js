// Sends the program when nobody has typed for a moment, and shows what comes back.
const source = document.getElementById("source");
const state = document.getElementById("state");
const message = document.getElementById("message");
const report = document.getElementById("report");
const wait = 500;
let timer = 0, isBusy = false, isChanged = false;

const show = (text) => {
  message.textContent = text;
  message.hidden = text === "";
};
const explain = async () => {
  if (isBusy) {
    isChanged = true;
    return;
  }
  isBusy = true;
  isChanged = false;
  state.textContent = "Compiling …";
  try {
    const answer = await fetch("/explain", { method: "POST", body: source.value });
    const text = await answer.text();
    if (answer.ok) {
      show("");
      report.srcdoc = text;
      state.textContent = "Up to date.";
    } else {
      show(text);
      state.textContent = answer.status === 422 ? "It does not compile; the report is that of the last program that did." : "No answer.";
    }
  } catch {
    show("poly view does not answer: was it stopped?");
    state.textContent = "";
  }
  isBusy = false;
  if (isChanged) explain();
};
source.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(explain, wait);
});
explain();
