//! What can be asked. Every question of a tab has its session in the path; every answer is JSON.

use std::io;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse};
use axum::routing::{get, post};
use axum::{Json, Router};
use cutline::model::{Classification, Taxonomy};
use cutline::spec::Spec;
use cutline::{Destination, Error, Report};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use tokio::sync::watch;

use crate::Elsewhere;
use crate::by_hand::{Lines, moved};
use crate::confine::{Confines, is_plain};
use crate::fault::{Fault, said};
use crate::session::{Session, Sessions, Work};
use crate::taxonomy::{Build, TreeView, Written, proposed};
use crate::told::Told;
use crate::view::{ColumnsView, LooksView, ResultView, TriedView};
use crate::watch::{Progress, Task};
use crate::{assets, open};

/// The largest question.
const MOST_BYTES: usize = 4 << 20;

/// The largest file that can be dropped onto the page; larger ones are opened where they are.
const MOST_DROPPED: usize = 256 << 20;

/// Everything that is served.
pub(crate) struct Studio {
    confines: Confines,
    elsewhere: Arc<dyn Elsewhere>,
    sessions: Sessions,
    dropped: TempDir,
    end: watch::Sender<bool>,
}

impl Studio {
    pub(crate) fn new(confines: Confines, elsewhere: Arc<dyn Elsewhere>, end: watch::Sender<bool>) -> io::Result<Self> {
        let dropped = private_folder()?;
        let confines = confines.with_dropped(dropped.path())?;
        Ok(Studio { confines, sessions: Sessions::new(elsewhere.clone()), elsewhere, dropped, end })
    }

    /// May everything be read that a spec names? An address is no file; it may have no secret in it.
    fn admit_spec(&self, spec: &Spec) -> Result<(), Fault> {
        let mut files = spec.clone();
        if let Some(location) = &spec.input.path
            && self.elsewhere.is_address(location)?
        {
            files.input.path = None;
        }
        self.confines.admit_spec(&files)
    }

    pub(crate) fn stop_all(&self) {
        self.sessions.stop_all();
    }
}

/// A folder that nobody else can look into, and that goes with the studio.
fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.prefix("cutline-studio-").tempdir()
}

type Asked = State<Arc<Studio>>;
type Answer<T> = Result<Json<T>, Fault>;

pub(crate) fn router(studio: Arc<Studio>) -> Router {
    Router::new()
        .route("/api/start", get(start))
        .route("/api/quit", post(quit))
        .route("/api/spec/read", post(read_spec))
        .route("/api/spec/write", post(write_spec))
        .route("/api/taxonomy/read", post(read_taxonomy))
        .route("/api/taxonomy/write", post(write_taxonomy))
        .route("/api/taxonomy/save", post(save_taxonomy))
        .route("/api/drop", post(take_dropped).layer(DefaultBodyLimit::max(MOST_DROPPED)))
        .route("/api/{session}/progress", get(progress))
        .route("/api/{session}/stop", post(stop))
        .route("/api/{session}/open", post(open_table))
        .route("/api/{session}/search", post(search))
        .route("/api/{session}/looks", post(looks))
        .route("/api/{session}/models", post(models))
        .route("/api/{session}/try", post(try_line))
        .route("/api/{session}/publish", post(publish))
        .route("/api/{session}/report", get(report))
        .route("/api/{session}/taxonomy", post(propose_taxonomy))
        .fallback(assets::asset)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(studio)
}

/// Does a tab's work on a thread of its own, where it may take its time.
async fn worked<T: Send + 'static>(
    studio: &Arc<Studio>,
    session: u64,
    work: impl FnOnce(&mut Work, &Task) -> Result<T, Error> + Send + 'static,
) -> Result<T, Fault> {
    let session: Arc<Session> = studio.sessions.get(session);
    let task = session.current.begin();
    let done = tokio::task::spawn_blocking(move || session.work(&task, |held| work(held, &task))).await;
    done.map_err(|_| Fault::from(Error::Defect("the work ended before its time".to_owned())))?.map_err(Fault::from)
}

#[derive(Serialize)]
struct Start {
    version: &'static str,
    folder: String,
    files: Vec<String>,
    opening: Option<String>,
    /// How addresses of servers begin that can be opened.
    servers: Vec<&'static str>,
    /// Taxonomies that come with the program: their names, and what they are about.
    classifications: Vec<(String, &'static str)>,
}

async fn start(State(studio): Asked) -> Json<Start> {
    Json(Start {
        version: env!("CARGO_PKG_VERSION"),
        folder: studio.confines.folder(),
        files: studio.confines.files(),
        opening: studio.confines.opening().map(str::to_owned),
        servers: studio.elsewhere.schemes(),
        classifications: Classification::all().iter().map(|one| (format!("builtin:{}", one.name), one.about)).collect(),
    })
}

async fn quit(State(studio): Asked) -> Json<()> {
    studio.stop_all();
    studio.end.send_replace(true);
    Json(())
}

async fn progress(State(studio): Asked, Path(session): Path<u64>) -> Json<Progress> {
    Json(studio.sessions.get(session).current.get().progress())
}

async fn stop(State(studio): Asked, Path(session): Path<u64>) -> Json<()> {
    studio.sessions.get(session).current.get().cancel();
    Json(())
}

#[derive(Deserialize)]
struct Opened {
    /// A table, a spec or a release.
    path: String,
    /// What is said of it already.
    #[serde(default)]
    spec: Option<Spec>,
    /// Does that tell no more than how to read it? Then a spec is proposed.
    #[serde(default)]
    new: bool,
}

impl Studio {
    /// The spec that a path stands for, and whether it was given: of a table it says no more than how to read it.
    fn named(&self, path: String) -> Result<(Spec, bool), Fault> {
        if self.elsewhere.is_address(&path)? {
            return Ok((self.confines.reading(path), false));
        }
        self.confines.admit(&path)?;
        Ok(match open::spec_at(&path)? {
            Some(spec) => (spec, true),
            None => (self.confines.reading(path), false),
        })
    }
}

async fn open_table(State(studio): Asked, Path(session): Path<u64>, Json(asked): Json<Opened>) -> Answer<ColumnsView> {
    let (spec, given) = match asked.spec {
        Some(spec) => (spec, !asked.new),
        None => studio.named(asked.path)?,
    };
    studio.admit_spec(&spec)?;
    Ok(Json(worked(&studio, session, move |work, task| work.look(spec, given, task)).await?))
}

#[derive(Deserialize)]
struct Searched {
    spec: Spec,
}

async fn search(State(studio): Asked, Path(session): Path<u64>, Json(asked): Json<Searched>) -> Answer<ResultView> {
    studio.admit_spec(&asked.spec)?;
    Ok(Json(worked(&studio, session, move |work, task| work.search(&asked.spec, task)).await?))
}

/// What columns give away, and why everything is masked as it is.
async fn looks(State(studio): Asked, Path(session): Path<u64>) -> Answer<LooksView> {
    let look = |work: &mut Work, task: &Task| {
        let draft = work.draft()?;
        Ok(LooksView::new(&draft.screen(task)?, &draft.why()?, draft.compressed().records))
    };
    Ok(Json(worked(&studio, session, look).await?))
}

/// What the masking costs a model.
async fn models(State(studio): Asked, Path(session): Path<u64>) -> Answer<cutline::report::Evaluation> {
    let learn = |work: &mut Work, task: &Task| cutline_study::evaluate::of_draft(work.draft()?, task);
    Ok(Json(worked(&studio, session, learn).await?))
}

#[derive(Deserialize)]
struct Moved {
    lines: Lines,
}

async fn try_line(State(studio): Asked, Path(session): Path<u64>, Json(asked): Json<Moved>) -> Answer<TriedView> {
    let tried = move |work: &mut Work, _: &Task| {
        let recoding = moved(work.draft()?, &asked.lines)?;
        Ok(TriedView::new(work.draft()?, &work.tried(recoding)?))
    };
    Ok(Json(worked(&studio, session, tried).await?))
}

#[derive(Deserialize)]
struct Publish {
    spec: Spec,
    folder: String,
    #[serde(default)]
    replace: bool,
}

#[derive(Serialize)]
struct Published {
    folder: String,
    /// The table that appeared beside the records, if they are on a server.
    into: Option<String>,
    records: u64,
    suppressed: u64,
    qids: Vec<(Vec<String>, u64, u64)>,
    told: Told,
}

/// Publishes as the command does, and tells how the command would be asked.
async fn publish(State(studio): Asked, Path(session): Path<u64>, Json(asked): Json<Publish>) -> Answer<Published> {
    studio.admit_spec(&asked.spec)?;
    let path = studio.confines.place(&asked.folder)?;
    let told = Told::new(&asked.spec, &path);
    let into = asked.spec.output.into.clone();
    let folder = Destination { path: path.clone(), force: asked.replace };
    let made = move |work: &mut Work, task: &Task| work.publish(asked.spec, &folder, task);
    let report: Report = worked(&studio, session, made).await?;
    studio.sessions.get(session).keep_report(cutline::read_text(&path.join("private/report.html"))?);
    Ok(Json(Published {
        folder: path.display().to_string(),
        into,
        records: report.records,
        suppressed: report.suppressed,
        qids: report.qids.iter().map(|qid| (qid.attributes.clone(), qid.k, qid.anonymity)).collect(),
        told,
    }))
}

/// What a report may do: show itself.
const REPORT_CSP: &str =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

/// The full report of what was published last, in a tab of its own.
async fn report(State(studio): Asked, Path(session): Path<u64>) -> Result<impl IntoResponse, StatusCode> {
    let page = studio.sessions.get(session).report().ok_or(StatusCode::NOT_FOUND)?;
    Ok(([(header::CONTENT_SECURITY_POLICY, REPORT_CSP)], Html(page)))
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

async fn read_spec(State(studio): Asked, Json(Text { text }): Json<Text>) -> Answer<Spec> {
    let spec: Spec = toml::from_str(&text).map_err(|error| Fault::wrong(error.to_string()))?;
    studio.admit_spec(&spec)?;
    Ok(Json(spec))
}

#[derive(Deserialize)]
struct ToWrite {
    spec: Spec,
    #[serde(default)]
    folder: String,
}

#[derive(Serialize)]
struct SpecText {
    toml: String,
    told: Told,
}

async fn write_spec(State(studio): Asked, Json(asked): Json<ToWrite>) -> Answer<SpecText> {
    studio.admit_spec(&asked.spec)?;
    let folder = if asked.folder.is_empty() { "published".into() } else { studio.confines.place(&asked.folder)? };
    // A table writes what has no heading of its own first.
    let table = toml::Table::try_from(&asked.spec).map_err(|error| Fault::wrong(error.to_string()))?;
    let toml = toml::to_string(&table).map_err(|error| Fault::wrong(error.to_string()))?;
    Ok(Json(SpecText { toml, told: Told::new(&asked.spec, &folder) }))
}

#[derive(Deserialize)]
struct Proposed {
    spec: Spec,
    attribute: String,
    target: Option<String>,
    by: Build,
}

async fn propose_taxonomy(
    State(studio): Asked,
    Path(session): Path<u64>,
    Json(asked): Json<Proposed>,
) -> Answer<TreeView> {
    studio.admit_spec(&asked.spec)?;
    let build = move |work: &mut Work, task: &Task| {
        let table = work.table(&asked.spec)?;
        proposed(&table, (&asked.attribute, asked.target.as_deref()), asked.by, &asked.spec.input.null, task)
    };
    Ok(Json(worked(&studio, session, build).await?))
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TaxonomyAt {
    Path(String),
    Text(String),
}

async fn read_taxonomy(State(studio): Asked, Json(asked): Json<TaxonomyAt>) -> Answer<TreeView> {
    let text = match asked {
        TaxonomyAt::Path(path) if Classification::of(&path).is_some() => {
            return Ok(Json(TreeView::of(&cutline::read_taxonomy("", path.as_ref())?)));
        }
        TaxonomyAt::Text(text) => text,
        TaxonomyAt::Path(path) => {
            studio.confines.admit(&path)?;
            cutline::read_text(path.as_ref())?
        }
    };
    let taxonomy = Taxonomy::parse(&text).map_err(|error| Fault::wrong(said(&error.to_string())))?;
    Ok(Json(TreeView::of(&taxonomy)))
}

#[derive(Deserialize)]
struct TreeToWrite {
    tree: TreeView,
    how: Written,
}

async fn write_taxonomy(Json(asked): Json<TreeToWrite>) -> Answer<String> {
    Ok(Json(asked.tree.written(asked.how).map_err(|error| Fault::wrong(said(&error.to_string())))?))
}

#[derive(Deserialize)]
struct TreeToSave {
    tree: TreeView,
    name: String,
    #[serde(default)]
    replace: bool,
}

/// Stores a taxonomy beside the table, so that the command finds it too.
async fn save_taxonomy(State(studio): Asked, Json(asked): Json<TreeToSave>) -> Answer<String> {
    if !asked.name.ends_with(".txt") {
        return Err(Fault::wrong("a taxonomy is stored as a text file").hint("give it a name that ends with .txt"));
    }
    let path = studio.confines.place(&asked.name)?;
    let text = asked.tree.written(Written::Outline).map_err(|error| Fault::wrong(said(&error.to_string())))?;
    let shown = path.display().to_string();
    if asked.replace && path.exists() && cutline::read_text(&path).map_or(true, |old| Taxonomy::parse(&old).is_err()) {
        let problem = format!("`{shown}` is no taxonomy, and is not replaced by one");
        return Err(Fault::wrong(problem).hint("give the taxonomy another name"));
    }
    cutline::write_text(&Destination { path, force: asked.replace }, &text)?;
    Ok(Json(shown))
}

#[derive(Deserialize)]
struct Dropped {
    name: String,
}

/// Keeps a file that was dropped onto the page, in a folder that is removed when the studio ends.
async fn take_dropped(State(studio): Asked, Query(Dropped { name }): Query<Dropped>, bytes: Bytes) -> Answer<String> {
    if !is_plain(&name) {
        return Err(Fault::outside(&name));
    }
    let path = studio.dropped.path().join(&name);
    let written = std::fs::write(&path, bytes);
    written.map_err(|source| Error::Io { path: path.clone(), action: "write", source })?;
    Ok(Json(path.display().to_string()))
}
