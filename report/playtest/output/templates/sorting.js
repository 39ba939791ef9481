"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  table.tHead.querySelectorAll("th").forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    const numeric = head.classList.contains("n");
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "descending" || (!numeric && !head.hasAttribute("aria-sort"));
      for (const other of table.tHead.querySelectorAll("th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "ascending" : "descending");
      const value = (row) => {
        const cell = row.cells[column];
        return numeric ? parseFloat(cell.dataset.value ?? cell.textContent) || 0 : cell.textContent;
      };
      const rows = Array.from(body.rows);
      rows.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        const order = numeric ? x - y : x.localeCompare(y);
        return down ? order : -order;
      });
      body.append(...rows);
    });
  });
}
// A story wider than the page is shown from its first page on, wherever that stands.
for (const box of document.querySelectorAll(".graph .scroll")) {
  const shapes = Array.from(box.querySelectorAll("rect"), (shape) => shape.getBoundingClientRect());
  const pages = shapes.filter((shape) => shape.width < box.clientWidth);
  if (pages.length === 0) continue;
  const first = pages.reduce((a, b) => (b.top < a.top ? b : a));
  const middle = box.getBoundingClientRect().left + box.clientWidth / 2;
  box.scrollLeft += first.left + first.width / 2 - middle;
}
