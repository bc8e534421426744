// Follows a history that is recorded. There is no server: the tool replaces a script next to the page,
// which calls a function here with what is new, and the page reads the script again and again.

const LOOK = 500, SILENCE = 10000;

class Follower {
  constructor(page, nonce) {
    this.page = page;
    this.nonce = nonce;
    // The script as it is named, for an address.
    this.script = JSON.parse(byId("facts").textContent).live.script;
    // The session that is followed. When another one begins, the page is written anew.
    this.record = facts.sessions[0];
    this.looks = 0;
    this.heard = performance.now();
    window.staty = news => this.take(news);
    byId("latest").hidden = false;
    byId("latest").addEventListener("click", () => page.latest());
    this.say(facts.live.note);
    this.look();
  }

  look() {
    const script = make("script", {nonce: this.nonce});
    const end = isThere => {
      script.remove();
      if (!isThere) {
        this.say(`'${facts.live.script}' is not next to this page any more, so that nothing new is shown. `
          + "Start 'staty report --follow' again.");
      }
      setTimeout(() => this.look(), LOOK);
    };
    script.onload = () => end(true);
    script.onerror = () => end(false);
    // The number keeps a browser from taking the script that it has read before.
    script.src = `${encodeURIComponent(this.script)}?${this.looks++}`;
    document.body.append(script);
  }

  say(text) {
    const note = text ?? (this.page.session ? "This page shows what is recorded, as it is recorded." : "");
    if (byId("live").textContent === note) return;
    byId("live").textContent = note;
    byId("live").hidden = note === "";
  }

  take({tick, version, base, uuid, says, isOver, record, growth}) {
    const now = performance.now(), isSame = told(uuid) === (this.record?.uuid ?? "");
    if (tick !== this.tick) [this.tick, this.heard] = [tick, now];
    // Not more often than a screen reader can say it.
    const silent = Math.floor((now - this.heard) / SILENCE) * SILENCE / 1000;
    this.say(says !== null ? told(says) : isOver || now - this.heard < SILENCE ? facts.live.note
      : `Nothing has come for ${counted(silent, "second")}: is 'staty report --follow' still running?`);
    const {page} = this;
    if (isSame) {
      // There may be nothing new, and another session may be chosen in the menu.
      if (growth === undefined || page.record !== this.record) return;
      if (version === this.version && page.session === this.session) return;
      if (page.grow(record, growth)) {
        [this.version, this.session] = [version, page.session];
        return;
      }
    }
    // It cannot go on: the page was written anew.
    if (base > facts.live.base) location.reload();
  }
}
