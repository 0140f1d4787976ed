// The table screen: the screen stays awake while the match is on.
import { stayAwake } from "./awake.js";

stayAwake();
