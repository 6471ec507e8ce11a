// Steps through the orders in which the points of a picture are executed.
for (const scene of document.querySelectorAll(".scene")) {
  const controls = scene.querySelector(".controls");
  const slider = controls.querySelector("input[type=range]");
  const play = controls.querySelector("[data-do=play]");
  const said = controls.querySelector("output");
  const points = [...scene.querySelectorAll(".p")];
  const count = Number(scene.dataset.count);
  let timer = 0;

  const order = () => controls.querySelector("input[type=radio]:checked")?.value ?? "o";
  const show = () => {
    const time = Number(slider.value), key = order();
    let now = "";
    for (const point of points) {
      const rank = Number(point.dataset[key]);
      point.classList.toggle("future", rank >= time);
      point.classList.toggle("now", rank === time - 1 && time < count);
      if (rank === time - 1) now = point.querySelector("title").textContent;
    }
    const where = now === "" ? "" : (time < count ? ", now " : ", the last one is ") + now;
    said.textContent = time + " of " + count + " iterations" + where;
    slider.setAttribute("aria-valuetext", said.textContent);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    said.setAttribute("aria-live", "polite");
  };
  const move = (to) => {
    slider.value = to;
    show();
  };
  const start = () => {
    if (Number(slider.value) >= count) move(0);
    play.textContent = "Pause";
    // Screen readers would not keep up.
    said.setAttribute("aria-live", "off");
    timer = setInterval(() => {
      move(Number(slider.value) + 1);
      if (Number(slider.value) >= count) stop();
    }, Math.max(40, Math.min(400, 15000 / count)));
  };
  const actions = {
    first: () => { stop(); move(0); },
    back: () => { stop(); move(Number(slider.value) - 1); },
    next: () => { stop(); move(Number(slider.value) + 1); },
    play: () => (timer ? stop() : start()),
  };
  controls.addEventListener("click", (event) => actions[event.target.dataset.do]?.());
  controls.addEventListener("input", (event) => {
    if (event.target.dataset.do === "arrows") scene.classList.toggle("without", !event.target.checked);
    if (event.target === slider) stop();
    show();
  });
  controls.hidden = false;
  show();
}
