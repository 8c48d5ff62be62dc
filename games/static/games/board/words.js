// The board's own words. What a move is in words comes with the replay, in the language that was asked for.

const EN = {
  board: "Replay of the game", table: "The table", moves: "Moves", position: "The position in words",
  first: "First position", previous: "Previous move", next: "Next move", last: "Newest position",
  play: "Play", pause: "Pause", speed: "Speed", slider: "Position in the game", viewer: "Seen by",
  everyone: "all cards open", spectator: "a spectator", seat: "seat {number}", ply: "{ply} / {plies}",
  slow: "slow", normal: "normal", fast: "fast",
  link: "Copy link to this position", copied: "The link has been copied.", notCopied: "The link: {link}",
  live: "Live", reconnecting: "Live: connecting again", behind: "Live: {count} newer", follow: "Follow the game", stopped: "The live view has stopped",
  loading: "Loading the game", failed: "The game could not be loaded.", again: "Try again", deal: "the deal",
  notStarted: "The game has not started.", notDisclosed: "What this seat sees stays hidden while the game goes on.",
  noSeat: "There is no such seat.", dimmed: "Darkened: face down for the players",
  toAct: "to move", byItself: "played by itself", deletedPlayer: "deleted player", left: "has left", passed: "passed", out: "out", won: "won", drew: "drew", lost: "lost", score: "score {score}",
  place: "place {place}", over: "The game is over", overVoid: "The game was closed without a result",
  hidden: "{count} cards face down", hiddenOne: "1 card face down", back: "card face down", none: "no cards", empty: "empty",
  stock: "stock", pile: "pile", aside: "set aside", hand: "hand", handOf: "hand of {name}", scorePile: "score pile", scorePileOf: "score pile of {name}",
  pyramidOf: "pyramid of {name}", away: "turned away", thrown: "exchanged away", thrownOf: "exchanged away by {name}", power: "power card",
  round: "this round", played: "played before", up: "goes up", down: "goes down", noDirection: "no direction yet", as: "as {count}",
  waste: "turned up", removed: "removed", court: "court", row: "row {row}", removing: "pairs of ten may be removed",
  follow_up: "▲ same or higher", follow_down: "▼ same or lower", follow_any: "any card",
  tokens: "tokens", start: "start cards", kings: "kings", free: "free", cells: "free cells", foundations: "foundations", column: "column {column}",
  points: "{points} points", rows: "rows", columns: "columns", swapFirst: "swap first", playNext: "then play or pass",
  firstExchange: "first exchange", secondExchange: "second exchange", exchanging: "exchange", exchanges: "{count} of 10 exchanges",
};

const SV = {
  board: "Partiet drag för drag", table: "Bordet", moves: "Drag", position: "Ställningen i ord",
  first: "Första ställningen", previous: "Föregående drag", next: "Nästa drag", last: "Senaste ställningen",
  play: "Spela upp", pause: "Pausa", speed: "Takt", slider: "Plats i partiet", viewer: "Sett av",
  everyone: "alla kort öppna", spectator: "en åskådare", seat: "plats {number}", ply: "{ply} / {plies}",
  slow: "långsamt", normal: "normalt", fast: "snabbt",
  link: "Kopiera länk till ställningen", copied: "Länken har kopierats.", notCopied: "Länken: {link}",
  live: "Direkt", reconnecting: "Direkt: ansluter igen", behind: "Direkt: {count} nyare", follow: "Följ partiet", stopped: "Direktvisningen har stannat",
  loading: "Partiet hämtas", failed: "Partiet kunde inte hämtas.", again: "Försök igen", deal: "given",
  notStarted: "Partiet har inte börjat.", notDisclosed: "Vad den platsen ser förblir dolt så länge partiet pågår.",
  noSeat: "Det finns ingen sådan plats.", dimmed: "Mörkare: dolda för spelarna",
  toAct: "vid draget", byItself: "spelat av sig självt", deletedPlayer: "raderad spelare", left: "har lämnat", passed: "passat", out: "ute", won: "vann", drew: "oavgjort", lost: "förlorade", score: "poäng {score}",
  place: "placering {place}", over: "Partiet är slut", overVoid: "Partiet avslutades utan resultat",
  hidden: "{count} dolda kort", hiddenOne: "1 dolt kort", back: "dolt kort", none: "inga kort", empty: "tom",
  stock: "talong", pile: "hög", aside: "lagda åt sidan", hand: "hand", handOf: "{name}: hand", scorePile: "poänghög", scorePileOf: "{name}: poänghög",
  pyramidOf: "{name}: pyramid", away: "vända bort", thrown: "bortbytta", thrownOf: "{name}: bortbytta", power: "kraftkort",
  round: "omgången", played: "spelade förut", up: "går uppåt", down: "går nedåt", noDirection: "ingen riktning än", as: "som {count}",
  waste: "uppvänt", removed: "borttagna", court: "hov", row: "rad {row}", removing: "par om tio får tas bort",
  follow_up: "▲ lika eller högre", follow_down: "▼ lika eller lägre", follow_any: "vilket kort som helst",
  tokens: "marker", start: "startkort", kings: "kungar", free: "ledig", cells: "fria celler", foundations: "grundhögar", column: "kolumn {column}",
  points: "{points} poäng", rows: "rader", columns: "kolumner", swapFirst: "byter först", playNext: "sedan kort eller pass",
  firstExchange: "första bytet", secondExchange: "andra bytet", exchanging: "byte", exchanges: "{count} av 10 byten",
};

const ES = {
  board: "La partida jugada a jugada", table: "La mesa", moves: "Jugadas", position: "La posición en palabras",
  first: "Primera posición", previous: "Jugada anterior", next: "Jugada siguiente", last: "Posición más reciente",
  play: "Reproducir", pause: "Pausa", speed: "Velocidad", slider: "Lugar en la partida", viewer: "Visto por",
  everyone: "todas las cartas abiertas", spectator: "un espectador", seat: "asiento {number}", ply: "{ply} / {plies}",
  slow: "lenta", normal: "normal", fast: "rápida",
  link: "Copiar enlace a esta posición", copied: "El enlace está copiado.", notCopied: "El enlace: {link}",
  live: "En directo", reconnecting: "En directo: conectando de nuevo", behind: "En directo: {count} más", follow: "Seguir la partida",
  stopped: "La vista en directo se ha detenido",
  loading: "Cargando la partida", failed: "No se pudo cargar la partida.", again: "Intentar de nuevo", deal: "el reparto",
  notStarted: "La partida no ha empezado.", notDisclosed: "Lo que ve ese asiento sigue oculto mientras dura la partida.",
  noSeat: "No hay tal asiento.", dimmed: "Más oscuras: boca abajo para los jugadores",
  toAct: "le toca", byItself: "jugada automática", deletedPlayer: "jugador eliminado", left: "se ha ido", passed: "ha pasado", out: "fuera", won: "gana", drew: "empata", lost: "pierde", score: "{score} puntos",
  place: "puesto {place}", over: "La partida ha terminado", overVoid: "La partida se cerró sin resultado",
  hidden: "{count} cartas boca abajo", hiddenOne: "1 carta boca abajo", back: "carta boca abajo", none: "ninguna carta", empty: "vacío",
  stock: "mazo", pile: "pila", aside: "apartadas", hand: "mano", handOf: "mano de {name}", scorePile: "montón", scorePileOf: "montón de {name}",
  pyramidOf: "pirámide de {name}", away: "retiradas", thrown: "cambiadas", thrownOf: "cambiadas por {name}", power: "carta de poder",
  round: "esta ronda", played: "jugadas antes", up: "sube", down: "baja", noDirection: "aún sin dirección", as: "como {count}",
  waste: "descubierta", removed: "retiradas", court: "corte", row: "fila {row}", removing: "se pueden retirar parejas de diez",
  follow_up: "▲ igual o mayor", follow_down: "▼ igual o menor", follow_any: "cualquier carta",
  tokens: "fichas", start: "cartas iniciales", kings: "reyes", free: "libre", cells: "celdas libres", foundations: "bases", column: "columna {column}",
  points: "{points} puntos", rows: "filas", columns: "columnas", swapFirst: "primero intercambia", playNext: "luego juega o pasa",
  firstExchange: "primer cambio", secondExchange: "segundo cambio", exchanging: "cambio", exchanges: "{count} de 10 cambios",
};

const WORDS = { en: EN, sv: SV, es: ES };

// How a seat is written in the words of a move, to put the player's name there.
const SEAT = { en: /\bseat (\d)\b/g, sv: /\bplats (\d)\b/g, es: /\b(?:el )?asiento (\d)\b/g };

const FRENCH = {
  en: {
    ranks: { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" },
    suits: { C: "clubs", D: "diamonds", H: "hearts", S: "spades" }, name: (rank, suit) => `${rank} of ${suit}`,
  },
  sv: {
    ranks: { A: "ess", T: "10", J: "knekt", Q: "dam", K: "kung" },
    suits: { C: "klöver", D: "ruter", H: "hjärter", S: "spader" }, name: (rank, suit) => `${suit} ${rank}`,
  },
  es: {
    ranks: { A: "as", T: "10", J: "jota", Q: "reina", K: "rey" },
    suits: { C: "tréboles", D: "diamantes", H: "corazones", S: "picas" }, name: (rank, suit) => `${rank} de ${suit}`,
  },
};

const SPANISH_RANKS = { 1: "as", 10: "sota", 11: "caballo", 12: "rey" };
const SPANISH_SUITS = { O: "oros", C: "copas", E: "espadas", B: "bastos" };
const OF = { en: "of", sv: "i", es: "de" };

/** The language of the board nearest to a tag such as `sv-SE`; English for any other. */
export function languageOf(tag) {
  const [language] = (tag || "").toLowerCase().split("-");
  return language in WORDS ? language : "en";
}

/** A function that says a word or a sentence with its `{facts}` filled in. */
export function speaker(language) {
  const words = WORDS[language];
  return (key, facts = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => facts[name]);
}

/** What a card is called. */
export function cardName(language, deck, code) {
  if (deck === "spanish") {
    const number = code.slice(0, -1);
    return `${SPANISH_RANKS[number] ?? number} ${OF[language]} ${SPANISH_SUITS[code.at(-1)]}`;
  }
  const { ranks, suits, name } = FRENCH[language];
  return name(ranks[code[0]] ?? code[0], suits[code[1]]);
}

/** The name of a suit. */
export function suitName(language, deck, suit) {
  return deck === "spanish" ? SPANISH_SUITS[suit] : FRENCH[language].suits[suit];
}

/** The words of a move in parts, with players' names in the places of their seats: these are the 2nd, the 4th and so on. */
export function withNames(language, text, nameOf) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(SEAT[language])) {
    const [words, number] = found;
    parts.push(text.slice(from, found.index), nameOf(Number(number)) ?? words);
    from = found.index + words.length;
  }
  return [...parts, text.slice(from)];
}
